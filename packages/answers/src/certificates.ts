import { describeGame, type Game } from "@gridlock/game";
import { certificateFileOf } from "@gridlock/solver";
import { BRIEF_MS, Database, StoreError } from "@gridlock/store";
import { CertificateError, CertificateFile } from "@gridlock/verify";

/**
 * Opens a game's certificate, which lies beside its database; `undefined` if the file is missing.
 *
 * @throws {CertificateError} if it cannot be read, or is of another game
 */
export function openCertificate(databaseFile: string, game: Game): CertificateFile | undefined {
  const file = certificateFileOf(databaseFile, game);
  let certificate: CertificateFile;
  try {
    certificate = CertificateFile.open(file);
  } catch (error) {
    if (error instanceof CertificateError && error.code === "missing") return undefined;
    throw error;
  }
  const name = describeGame(certificate.game);
  if (name === describeGame(game)) return certificate;
  certificate[Symbol.dispose]();
  throw new CertificateError(
    "bad-header",
    `${file} is a certificate of ${name}, which its name does not say; make it again with gridlock prove`,
  );
}

/**
 * Stores in a database that a certificate beside it holds, so that it need not be checked again. A
 * database that lists nothing of the game, cannot be written or is locked stays as it is.
 */
export function recordCheck(databaseFile: string, { game, identity }: CertificateFile): void {
  try {
    using database = Database.open(databaseFile);
    database.patience = BRIEF_MS;
    if (database.has(game)) database.storeChecked(game, identity);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}
