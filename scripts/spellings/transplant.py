"""What was found for a program, for arguments that are stored otherwise.

The launches that mirage-optimize found for one spelling compute the program as well if
its arguments are stored in another order, or in a wider type: each tile is loaded as
it is stored, and transposed or taken in that type. `transplant` writes this, so that
the cost model says what the launches would take there. Where a product multiplies such
a tile, it may read it transposed instead, which needs no other tile.
"""

import re

from .graph import argument

TYPE = r"tensor<[^>]*>"


def _find_order(node, leaf):
    """(permutation, element) of a node that transposes and casts make of a leaf; None
    if something else does."""
    permutation, element = list(range(node.rank)), node.element
    while node is not leaf and node.op in ("transpose", "cast"):
        if node.op == "transpose":
            permutation = [node.get("permutation")[dim] for dim in permutation]
        node = node.operands[0]
    return (permutation, element) if node is leaf else None


def stored_orders(program, stored):
    """(orders of arguments, orders of results): (permutation, element) of each, where a
    tensor's dimension i is dimension permutation[i] of the program's. None if one is
    something else than a transpose or a cast of the program's tensor at its place."""
    if len(stored.arguments) != len(program.arguments):
        return None
    arguments = [_find_order(new, old)
                 for old, new in zip(program.arguments, stored.arguments)]
    leaves = [argument(node.element, *node.shape) for node in stored.program.results]
    results = []
    for leaf, restored in zip(leaves, stored.restore(leaves)):
        order = _find_order(restored, leaf)
        results.append(order and ([order[0].index(dim) for dim in range(leaf.rank)],
                                  leaf.element))
    return None if None in (*arguments, *results) else (arguments, results)


def _between(first, second):
    """{number of a tensor: its order} of those that are not stored in the second orders
    as in the first ones, relative to these."""
    between = {}
    for number, ((old, narrow), (new, wide)) in enumerate(zip(first, second)):
        order = [old.index(dim) for dim in new]
        if order != sorted(order) or narrow != wide:
            between[number] = order, wide
    return between


def _permute(text, order):
    """A tensor's type as it is stored."""
    permutation, element = order
    *sizes, _ = re.fullmatch(r"tensor<([^>]*)>", text)[1].split("x")
    return f"tensor<{'x'.join([*(sizes[dim] for dim in permutation), element])}>"


def _rewrite_maps(text, permutation):
    """imap and fmap of a load, for the order in which its tensor is stored."""
    return re.sub(r"-> (\d+)", lambda m: f"-> {permutation.index(int(m[1]))}", text)


class _Function:
    """One function of a module, line by line; its first line is the signature."""

    def __init__(self, lines):
        self.lines = lines
        self.name = re.search(r"@(\w+)\(", lines[0])[1]
        self.arguments = re.findall(rf"(%\w+): ({TYPE})", lines[0].partition("->")[0])


def _split(module):
    """(lines before, functions, lines behind)."""
    before, functions, behind, own = [], [], [], None
    for line in module.splitlines():
        if re.match(r"\s*func\.func ", line):
            own = []
            functions.append(own)
        (before if own is None else own).append(line)
    while functions and functions[-1] and not functions[-1][-1].strip().startswith("return"):
        behind.insert(0, functions[-1].pop())
    if functions:
        functions[-1].append(behind.pop(0))
    return before, [_Function(lines) for lines in functions], behind


def _change_type(line, order, prefix=""):
    """The line with its last type behind a prefix as it is stored."""
    head, found, tail = line.rpartition(prefix)
    return head + found + re.sub(TYPE, lambda match: _permute(match[0], order), tail,
                                 count=1)


def _store_result(function, order):
    """Rewrites a function that returns one value for a result that is stored in
    another order. Returns the name of the function that computes it, "" if a launch does;
    None if it is the result of nothing else than a call or a launch."""
    lines = function.lines
    returned = re.match(rf"\s*return (%\w+) : {TYPE}$", lines[-2])
    if not returned:
        return None
    lines[-2] = _change_type(lines[-2], order, " : ")
    lines[0] = lines[0].replace("-> ", "->", 1)
    lines[0] = re.sub(rf"->({TYPE})", lambda m: f"-> {_permute(m[1], order)}", lines[0],
                      count=1)
    start = next(i for i, line in enumerate(lines)
                 if re.match(rf"\s*{returned[1]} = ", line))
    if call := re.search(r" = call @(\w+)\(", lines[start]):
        lines[start] = _change_type(lines[start], order, "-> ")
        return call[1]
    if " = mirage_kernel.launch " not in lines[start]:
        return None
    indent = re.match(r"\s*", lines[start])[0]
    end = next(i for i in range(start, len(lines)) if lines[i] == indent + "}")
    stores = [i for i in range(start, end) if " = mirage_block.store " in lines[i]]
    if len(stores) != 1:
        return None
    store = re.match(rf"(\s*)(%\w+) = mirage_block\.store (%\w+) (.*) : ({TYPE}) to "
                     rf"({TYPE})$", lines[stores[0]])
    if not store or order[1] != _element(store[6]):
        return None
    own, result, value, maps, tile, whole = store.groups()
    lines[start] = _change_type(lines[start], order, "-> ")
    lines[end - 1] = _change_type(lines[end - 1], order, " : ")
    lines[stores[0]:stores[0] + 1] = [
        f"{own}{value}_turned = mirage_block.transpose {value} {list(order[0])} : ({tile}) "
        f"-> {_permute(tile, order)}",
        f"{own}{result} = mirage_block.store {value}_turned "
        f"{_rewrite_maps(maps, order[0])} : {_permute(tile, order)} to "
        f"{_permute(whole, order)}"]
    return ""


def _element(text):
    """The type of a tensor's elements."""
    return re.fullmatch(r"tensor<([^>]*)>", text)[1].split("x")[-1]


LOAD = re.compile(rf"(\s*)(%\w+) = mirage_block\.load (%\w+) (.*) : ({TYPE}) to ({TYPE})$")
CAST = re.compile(rf"\s*(%\w+) = mirage_block\.cast (%\w+) : {TYPE} to ({TYPE})$")
SLICE = re.compile(rf"(\s*)(%\w+) = mirage_kernel\.slice (%\w+)\[(.*?)\] \[(.*?)\] "
                   rf"\[(.*?)\] : \(({TYPE})\) -> ({TYPE})$")
RESHAPE = re.compile(rf"(\s*)(%\w+) = mirage_kernel\.reshape (%\w+) : ({TYPE}) to ({TYPE})$")
CONCAT = re.compile(rf"(\s*)(%\w+) = mirage_kernel\.concat dim\((\d+)\) (.*) : \((.*)\) -> "
                    rf"({TYPE})$")
TRANSPOSE = re.compile(rf"(\s*)(%\w+) = mirage_kernel\.transpose (%\w+) \[(.*?)\] : "
                       rf"\(({TYPE})\) -> ({TYPE})$")
TURN = re.compile(rf"\s*(%\w+) = mirage_block\.transpose (%\w+) \[(.*?)\] : "
                  rf"\(({TYPE})\) -> {TYPE}$")
PRODUCT = re.compile(rf"(\s*%\w+ = mirage_block\.matmul )(%\w+), (%\w+)( transpose_lhs)?"
                     rf"( transpose_rhs)?(.*) : \(({TYPE}), ({TYPE})\) -> ({TYPE})$")
CALL = re.compile(r"(.*call @(\w+)\()(.*?)\) : \((.*?)\) (->.*)")


def _load(load, order):
    """(lines, (value, type) of the tile before it is cast to a narrower type, if it is)
    of a load of a tensor that is stored in another order."""
    indent, result, tensor, maps, whole, tile = load.groups()
    permutation, element = order
    loaded = _permute(tile, order)
    turned = _permute(tile, (range(len(permutation)), element))
    steps = [f"mirage_block.load {tensor} {_rewrite_maps(maps, permutation)} : "
             f"{_permute(whole, order)} to {loaded}"]
    if permutation != sorted(permutation):
        back = [permutation.index(dim) for dim in range(len(permutation))]
        steps.append(f"mirage_block.transpose {{}} {back} : ({loaded}) -> {turned}")
    if turned != tile:
        steps.append(f"mirage_block.cast {{}} : {turned} to {tile}")
    names = [f"{result}_{number}_stored" for number in range(len(steps) - 1)] + [result]
    lines = [f"{indent}{name} = {step.format(operand)}"
             for name, operand, step in zip(names, ["", *names], steps)]
    return lines, (names[-2], turned) if turned != tile else None


def _slice(match, order):
    """A slice of a tensor that is stored in another order."""
    indent, result, tensor, *window, whole, part = match.groups()
    offsets, sizes, strides = (
        ", ".join(numbers.split(", ")[dim] for dim in order[0]) for numbers in window)
    return (f"{indent}{result} = mirage_kernel.slice {tensor}[{offsets}] [{sizes}] "
            f"[{strides}] : ({_permute(whole, order)}) -> {_permute(part, order)}")


def _sizes(text):
    return re.fullmatch(r"tensor<([^>]*)>", text)[1].split("x")[:-1]


def _reshape(match, order):
    """(line, order of the result) of a reshape that adds or drops dimensions of size
    one; None of another one."""
    indent, result, tensor, whole, reshaped = match.groups()
    long, new = ([dim for dim, size in enumerate(_sizes(text)) if size != "1"]
                 for text in (whole, reshaped))
    if [_sizes(whole)[dim] for dim in long] != [_sizes(reshaped)[dim] for dim in new]:
        return None
    units = [dim for dim in range(len(_sizes(reshaped))) if dim not in new]
    moved = [new[long.index(dim)] for dim in order[0] if dim in long]
    own = units + moved, order[1]
    return (f"{indent}{result} = mirage_kernel.reshape {tensor} : {_permute(whole, order)} "
            f"to {_permute(reshaped, own)}"), own


def _transpose(match, order):
    """A transpose of a tensor that is stored in another order, to what it was."""
    indent, result, tensor, permutation, whole, turned = match.groups()
    own = [order[0].index(int(dim)) for dim in permutation.split(", ")]
    return (f"{indent}{result} = mirage_kernel.transpose {tensor} {own} : "
            f"({_permute(whole, order)}) -> {turned}")


def _turn_back(match, stored):
    """Lines of a concatenation of tensors of which some are stored in other orders:
    these are transposed before it, where launches read the parts where they lie; None if
    one has another type."""
    indent, result, dim, operands, types, whole = match.groups()
    types = re.findall(TYPE, types)
    lines, names = [], operands.split(", ")
    for number, name in enumerate(names):
        if name not in stored:
            continue
        permutation, element = stored[name]
        if element != _element(types[number]):
            return None
        back = [permutation.index(dim) for dim in range(len(permutation))]
        names[number] = f"{result}_{number}_turned"
        lines.append(f"{indent}{names[number]} = mirage_kernel.transpose {name} {back} : "
                     f"({_permute(types[number], stored[name])}) -> {types[number]}")
    return lines + [f"{indent}{result} = mirage_kernel.concat dim({dim}) "
                    f"{', '.join(names)} : ({', '.join(types)}) -> {whole}"]


def _concat(match, order):
    """A concatenation of tensors that are all stored in one other order."""
    indent, result, dim, operands, types, whole = match.groups()
    types = ", ".join(_permute(text, order) for text in re.findall(TYPE, types))
    return (f"{indent}{result} = mirage_kernel.concat dim({order[0].index(int(dim))}) "
            f"{operands} : ({types}) -> {_permute(whole, order)}")


def _store_in(function, orders):
    """Rewrites a function for arguments that are stored in other orders. Returns
    {function that it calls: orders of its arguments}; None if something else than
    calls, launches, and slices, concatenations and reshapes before them, reads such an
    argument."""
    stored = {name: orders[number]
              for number, (name, _) in enumerate(function.arguments) if number in orders}
    for number, (name, type_) in enumerate(function.arguments):
        if number in orders:
            function.lines[0] = function.lines[0].replace(
                f"{name}: {type_}", f"{name}: {_permute(type_, orders[number])}", 1)
    called, lines = {}, [function.lines[0]]
    # Of a launch: its arguments, its loads that are cast to a narrower type, with what
    # they were before, and what stands for casts back to this.
    inside, narrowed, replaced = {}, {}, {}

    def rename_operand(match):
        inner, outer, type_ = match.groups()
        if outer not in stored:
            return match[0]
        inside[inner] = stored[outer]
        return f"{inner} = {outer} : {_permute(type_, stored[outer])}"

    for line in function.lines[1:]:
        if "mirage_kernel.launch" in line:
            inside, narrowed, replaced = {}, {}, {}
            lines.append(re.sub(rf"(%\w+) = (%\w+) : ({TYPE})", rename_operand, line))
            continue
        line = re.sub(r"%\w+", lambda match: replaced.get(match[0], match[0]), line)
        names = set(re.findall(r"%\w+", line))
        if (cast := CAST.match(line)) and narrowed.get(cast[2], ("", ""))[1] == cast[3]:
            replaced[cast[1]] = narrowed[cast[2]][0]
        elif not names & {*stored, *inside}:
            lines.append(line)
        elif part := SLICE.match(line):
            stored[part[2]] = stored[part[3]]
            lines.append(_slice(part, stored[part[3]]))
        elif ((view := RESHAPE.match(line))
              and (made := _reshape(view, stored[view[3]]))):
            lines.append(made[0])
            stored[view[2]] = made[1]
        elif (joined := CONCAT.match(line)) and all(
                stored.get(name) == stored.get(joined[4].split(", ")[0])
                for name in joined[4].split(", ")):
            stored[joined[2]] = stored[joined[4].split(", ")[0]]
            lines.append(_concat(joined, stored[joined[2]]))
        elif ((turn := TRANSPOSE.match(line))
              and stored[turn[3]][1] == _element(turn[5])):
            lines.append(_transpose(turn, stored[turn[3]]))
        elif joined and (turned := _turn_back(joined, stored)):
            lines += turned
        elif call := CALL.match(line):
            head, callee, operands, types, tail = call.groups()
            types, own = re.findall(TYPE, types), {}
            for number, operand in enumerate(operands.split(", ")):
                if operand in stored:
                    own[number] = stored[operand]
                    types[number] = _permute(types[number], stored[operand])
            if called.setdefault(callee, own) != own:
                return None
            lines.append(f"{head}{operands}) : ({', '.join(types)}) {tail}")
        elif load := LOAD.match(line):
            loads, narrow = _load(load, inside[load[3]])
            lines += loads
            if narrow:
                narrowed[load[2]] = narrow
        else:
            return None
    function.lines = lines
    return called


def _read_turned(lines):
    """Lines of a function whose products read tiles as they are stored, where they read
    what was transposed for them."""
    made, begin = [], 0
    borders = [i for i, line in enumerate(lines) if "mirage_kernel.launch" in line]
    # Names of values are those of one launch.
    for end in [*borders, len(lines)]:
        made += _read_turned_in_launch(lines[begin:end])
        begin = end
    return made


def _read_turned_in_launch(lines):
    turned, made = {}, []
    for line in lines:
        if (turn := TURN.match(line)) and turn[2].endswith("_stored"):
            permutation = [int(dim) for dim in turn[3].split(", ")]
            rank = len(permutation)
            if permutation == [*range(rank - 2), rank - 1, rank - 2]:
                turned[turn[1]] = turn[2], turn[4]
        if product := PRODUCT.match(line):
            head, *operands, left, right, rest, first, second, result = product.groups()
            types, flags = [first, second], [left, right]
            for side, operand in enumerate(operands):
                if operand in turned:
                    operands[side], types[side] = turned[operand]
                    flags[side] = not flags[side]
            written = "".join(f" transpose_{name}" for name, flag in
                              zip(("lhs", "rhs"), flags) if flag)
            line = (f"{head}{', '.join(operands)}{written}{rest} : "
                    f"({', '.join(types)}) -> {result}")
        made.append(line)
    read = [name for line in made for name in re.findall(r"%\w+", line.partition("=")[2])]
    return [line for line in made
            if not (turn := TURN.match(line)) or turn[1] not in turned or turn[1] in read]


def transplant_all(module, entry, found, wanted):
    """The texts that `transplant` makes, with transposed tiles, and with products that
    read them transposed; [] if the text cannot be rewritten."""
    texts = (transplant(module, entry, found, wanted, reads_turned)
             for reads_turned in (False, True))
    return list(dict.fromkeys(text for text in texts if text is not None))


def transplant(module, entry, found, wanted, reads_turned=False):
    """The text of a module for arguments and results of its function `entry` that are
    stored in the orders `wanted` in place of those for which it was found, both as
    `stored_orders` has them; None if the text cannot be rewritten. With `reads_turned`,
    products read tiles transposed that are stored so."""
    arguments, results = (_between(*orders) for orders in zip(found, wanted))
    before, functions, behind = _split(module)
    by_name, left = {f.name: f for f in functions}, {entry: arguments}
    while left:
        name, own = left.popitem()
        if not own:
            continue
        called = _store_in(by_name[name], own)
        if called is None:
            return None
        left.update(called)
    if results and list(results) != [0]:
        return None
    while results and entry:
        entry = _store_result(by_name[entry], results[0])
        if entry is None:
            return None
    if reads_turned:
        for function in functions:
            function.lines = _read_turned(function.lines)
    lines = before + [line for f in functions for line in f.lines] + behind
    return "\n".join(lines) + "\n"
