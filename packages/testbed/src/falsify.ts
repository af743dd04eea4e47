import Sqlite from "better-sqlite3";

const TABLES = "type = 'table' AND name NOT LIKE 'sqlite_%'";
const loose = (sql: string) => `replace(replace(${sql}, ') STRICT, ', ') '), ') STRICT', ')')`;

/**
 * Runs SQL in a file as anybody can who writes it with tools of their own: without the types,
 * checks and keys that its tables demand. The schema is the same afterwards, unless the SQL changes
 * it.
 */
export function falsify(file: string, sql: string): void {
  const sqlite = new Sqlite(file);
  try {
    sqlite.unsafeMode();
    sqlite.pragma("ignore_check_constraints = ON");
    sqlite.pragma("foreign_keys = OFF");
    sqlite.pragma("writable_schema = ON");
    const strict = sqlite.prepare(`SELECT name, sql FROM sqlite_schema WHERE ${TABLES}`).all();
    sqlite.exec(`UPDATE sqlite_schema SET sql = ${loose("sql")} WHERE ${TABLES}`);
    sqlite.pragma("writable_schema = RESET"); // reads the schema again
    sqlite.pragma("writable_schema = ON");
    sqlite.exec(sql);
    const restore = `UPDATE sqlite_schema SET sql = @sql WHERE name = @name AND sql = ${loose("@sql")}`;
    for (const table of strict) sqlite.prepare(restore).run(table);
  } finally {
    sqlite.close();
  }
}
