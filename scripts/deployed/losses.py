"""Losses: what training computes last, and rewards."""

from .builder import (LINALG, add, cast, constant, deployed, div, largest, make, mean, mul,
                      plus, scale, softmax, square, sub, total, unit)


def _log_softmax(x):
    return make("log_softmax", x, dim=x.rank - 1)


def _log_sigmoid(x):
    """log(1 / (1 + exp(-x))), by |x|, so that nothing overflows."""
    tail = make("log", plus(make("exp", scale(make("abs", x), -1)), 1.0))
    return sub(make("min", x, constant("f32", x.rank, 0.0)), tail)


def _log_sum(x):
    top = largest(x)
    return add(make("log", total(make("exp", sub(x, top)))), top)


@deployed("f32")
def cross_entropy(p):
    """Cross entropy of logits and rows with a one at the label."""
    return scale(total(mul(_log_softmax(p.argument(64, 4096)), p.argument(64, 4096))), -1)


@deployed("bf16")
def head_cross_entropy(p):
    """The head of a language model and its loss, without logits in memory."""
    logits = p.linear(p.argument(32, 512), 4096)
    return sub(_log_sum(logits), total(mul(logits, p.wide(32, 4096))))


@deployed("f32", LINALG)
def smoothed_cross_entropy(p):
    """Cross entropy with labels smoothed by 0.1 over 1,000 classes."""
    logarithms = _log_softmax(p.argument(64, 1000))
    labels = total(mul(logarithms, p.argument(64, 1000)))
    return scale(add(scale(labels, 0.9), scale(total(logarithms), 0.1 / 1000)), -1)


@deployed("f32")
def entropy_and_z_loss(p):
    """PaLM's loss: cross entropy and the square of the logarithm of the sum."""
    x = p.argument(64, 2048)
    logarithm = _log_sum(x)
    loss = sub(logarithm, total(mul(x, p.argument(64, 2048))))
    return add(loss, scale(square(logarithm), 1e-4))


@deployed()
def contrastive_rows(p):
    """CLIP's loss of images: cosines, a temperature, logarithms of softmax."""
    image, text = unit(p.wide(128, 512)), unit(p.wide(128, 512))
    logits = scale(p.product(image, text, transpose_rhs=True), 100.0)
    return scale(total(mul(_log_softmax(logits), p.wide(128, 128))), -1)


@deployed("f32")
def contrastive_both(p):
    """CLIP's loss of both sides: logarithms of softmax along rows and columns."""
    logits, labels = p.argument(128, 128), p.argument(128, 128)
    rows = mul(_log_softmax(logits), labels)
    columns = mul(make("log_softmax", logits, dim=0), labels)
    return scale(mean(add(rows, columns)), -0.5)


@deployed()
def sigmoid_contrastive(p):
    """SigLIP's loss: each pair of an image and a text is a binary decision."""
    image, text = unit(p.wide(128, 768)), unit(p.wide(128, 768))
    logits = plus(scale(p.product(image, text, transpose_rhs=True), 10.0), -10.0)
    return scale(total(_log_sigmoid(mul(logits, p.wide(128, 128)))), -1 / 128)


@deployed()
def cosine_similarity(p):
    """Cosines of pairs of rows, as sentence encoders compare."""
    x, y = p.wide(256, 384), p.wide(256, 384)
    lengths = mul(total(square(x)), total(square(y)))
    return mul(total(mul(x, y)), make("rsqrt", plus(lengths, 1e-12)))


@deployed("f32")
def distillation(p):
    """Divergence of a student from its teacher, both at temperature two."""
    teacher, student = p.argument(64, 1000), p.argument(64, 1000)
    weights = softmax(scale(teacher, 0.5))
    difference = sub(_log_softmax(scale(teacher, 0.5)), _log_softmax(scale(student, 0.5)))
    return scale(total(mul(weights, difference)), 4.0)


@deployed("f32")
def focal_loss(p):
    """RetinaNet's loss: easy decisions count less."""
    x, y = p.argument(256, 91), p.argument(256, 91)
    chance = make("sigmoid", mul(x, y))
    return total(mul(square(plus(scale(chance, -1), 1.0)),
                     scale(_log_sigmoid(mul(x, y)), -0.25)))


@deployed("f32", LINALG)
def huber_loss(p):
    """Squares of small differences, absolute values of large ones."""
    difference = sub(p.argument(128, 300), p.argument(128, 300))
    length = make("abs", difference)
    small = make("min", length, constant("f32", 2, 1.0))
    return mean(mul(small, sub(length, scale(small, 0.5))))


@deployed("f32")
def dice_loss(p):
    """Segmentation: twice the common area divided by both areas."""
    chance, labels = make("sigmoid", p.argument(8, 4096)), p.argument(8, 4096)
    common = scale(total(mul(chance, labels)), 2.0)
    both = add(total(chance), total(labels))
    return plus(scale(div(plus(common, 1.0), plus(both, 1.0)), -1), 1.0)


@deployed("bf16")
def vocabulary_cross_entropy(p):
    """Cross entropy of LLaMA 3's vocabulary; a row is larger than shared memory."""
    logits, labels = p.wide(1024, 128256), p.wide(1024, 128256)
    return scale(total(mul(_log_softmax(logits), labels)), -1)


@deployed("bf16")
def vocabulary_head_loss(p):
    """A head of 32,000 words, its loss, and the square of the logarithm."""
    logits = p.linear(p.argument(1024, 512), 32000)
    logarithm = _log_sum(logits)
    loss = sub(logarithm, total(mul(logits, p.wide(1024, 32000))))
    return add(loss, scale(square(logarithm), 1e-4))


@deployed()
def vocabulary_distillation(p):
    """How far a student's words are from a teacher's: Kullback and Leibler."""
    teacher, student = p.wide(1024, 32000), p.wide(1024, 32000)
    difference = sub(_log_softmax(teacher), _log_softmax(student))
    return total(mul(softmax(teacher), difference))


@deployed()
def vocabulary_entropy(p):
    """The entropy of the next word, as exploration in training rewards it."""
    x = p.wide(1024, 32000)
    return scale(total(mul(softmax(x), _log_softmax(x))), -1)


@deployed()
def vocabulary_sampling(p):
    """A temperature and a softmax over 128,256 words."""
    return softmax(scale(p.wide(256, 128256), 1 / 0.7))


@deployed("bf16")
def vocabulary_logarithms(p):
    """A head of 32,000 words and the logarithms of its softmax."""
    return _log_softmax(p.linear(p.argument(256, 4096), 32000))


@deployed("f32")
def preference_loss(p):
    """DPO: chosen and refused answers, each beside the reference model's."""
    chosen, refused, old_chosen, old_refused = (p.argument(16, 256) for _ in range(4))
    margin = sub(total(sub(chosen, old_chosen)), total(sub(refused, old_refused)))
    return scale(_log_sigmoid(scale(margin, 0.1)), -1)
