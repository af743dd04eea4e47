import Sqlite from "better-sqlite3";

/**
 * Runs SQL in a file as anybody can who writes it with tools of their own: without the types,
 * checks and keys that its tables demand. The schema is the same afterwards, unless the SQL changes
 * it.
 */
export function falsify(file: string, sql: string): void {
  const loose = "replace(replace(sql, ') STRICT, ', ') '), ') STRICT', ')')";
  const tables = "type = 'table' AND name NOT LIKE 'sqlite_%'";
  const strict = inFile(file, (sqlite) => {
    const rows = sqlite.prepare(`SELECT name, sql FROM sqlite_schema WHERE ${tables}`).raw().all();
    sqlite.exec(`UPDATE sqlite_schema SET sql = ${loose} WHERE ${tables}`);
    return rows as [name: string, sql: string][];
  });
  inFile(file, (sqlite) => sqlite.exec(sql));
  inFile(file, (sqlite) => {
    const restore = sqlite.prepare(
      `UPDATE sqlite_schema SET sql = ? WHERE name = ? AND sql = ${loose.replaceAll("sql,", "?,")}`,
    );
    for (const [name, text] of strict) restore.run(text, name, text);
  });
}

/** Works in a file as anybody can who writes it with tools of their own. */
export function inFile<T>(file: string, action: (sqlite: Sqlite.Database) => T): T {
  const sqlite = new Sqlite(file);
  try {
    sqlite.unsafeMode();
    for (const pragma of ["writable_schema = ON", "ignore_check_constraints = ON"]) {
      sqlite.pragma(pragma);
    }
    sqlite.pragma("foreign_keys = OFF");
    return action(sqlite);
  } finally {
    sqlite.close();
  }
}
