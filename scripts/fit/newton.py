"""Newton's method, for functions of a few weights."""


def solve(matrix, vector):
    """Returns x of matrix x = vector, by elimination with pivots."""
    n = len(vector)
    rows = [matrix[i][:] + [vector[i]] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                for c in range(i, n + 1):
                    rows[r][c] -= factor * rows[i][c]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def maximum(slopes, n, rounds=25):
    """Returns the n weights at which a concave function is largest, starting from 0.

    slopes(weights) returns the gradient, and the second derivatives with the opposite sign.
    """
    weights = [0.0] * n
    for _ in range(rounds):
        gradient, curvature = slopes(weights)
        step = solve(curvature, gradient)
        weights = [w + s for w, s in zip(weights, step)]
        if max(abs(s) for s in step) < 1e-6:
            break
    return weights
