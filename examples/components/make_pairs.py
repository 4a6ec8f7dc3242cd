"""Makes a Parquet file of pairs of account names, by DuckDB's library: make_pairs.py PAIRS FILE.parquet.

There are a tenth as many accounts as pairs. Half of the pairs join accounts whose numbers are near each other, half any
two of the same thousand. No pair crosses a multiple of 50,000, so that no component is larger.
"""

import ctypes
import os
import sys

PLACES = [os.environ.get("EDGEMILL_DUCKDB"), os.path.expanduser("~/.local/lib/libduckdb.so"),
          "/usr/local/lib/libduckdb.so", "/usr/local/lib/edgemill/libduckdb.so"]


class Result(ctypes.Structure):
    """duckdb_result of DuckDB's C API."""
    _fields_ = [("deprecated", ctypes.c_uint64 * 5), ("internal_data", ctypes.c_void_p)]


def query(statement: str) -> None:
    path = next((place for place in PLACES if place and os.path.exists(place)), "libduckdb.so")
    duckdb = ctypes.CDLL(path)
    duckdb.duckdb_result_error.restype = ctypes.c_char_p
    database, connection, result = ctypes.c_void_p(), ctypes.c_void_p(), Result()
    if duckdb.duckdb_open(None, ctypes.byref(database)) != 0:
        sys.exit("make_pairs: DuckDB does not open")
    if duckdb.duckdb_connect(database, ctypes.byref(connection)) != 0:
        sys.exit("make_pairs: DuckDB does not connect")
    failed = duckdb.duckdb_query(connection, statement.encode(), ctypes.byref(result))
    if failed:
        sys.exit("make_pairs: " + duckdb.duckdb_result_error(ctypes.byref(result)).decode())
    duckdb.duckdb_destroy_result(ctypes.byref(result))
    duckdb.duckdb_disconnect(ctypes.byref(connection))
    duckdb.duckdb_close(ctypes.byref(database))


def main() -> None:
    if len(sys.argv) != 3 or not sys.argv[1].isdigit():
        sys.exit("usage: make_pairs.py PAIRS FILE.parquet")
    pairs = int(sys.argv[1])
    accounts = max(2, pairs // 10)
    file = sys.argv[2].replace("'", "''")
    query(f"""
        COPY (
          SELECT printf('acct-%012x', hash(payer)) AS payer, printf('acct-%012x', hash(payee)) AS payee
          FROM (
            SELECT payer, CASE WHEN row % 2 = 0 THEN (payer + hash(row, 1) % 4) % {accounts}
                               ELSE (payer - payer % 1000 + hash(row, 2) % 1000) % {accounts} END AS payee
            FROM (SELECT range AS row, hash(range) % {accounts} AS payer FROM range({pairs}))
            WHERE payer % 50000 < 49990
          )
          WHERE payee % 50000 < 49990
        ) TO '{file}' (FORMAT parquet)""")


if __name__ == "__main__":
    main()
