/** A server that cannot start, with a sentence for the user. */
export class ServerError extends Error {
  override readonly name = "ServerError";
}
