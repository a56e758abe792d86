// Gives the precompiled header a library to belong to.
