/** Refuses: where there is no Node, nothing is installed. */
export function readInstalled(name: string): never {
  throw new Error(`${name} has not been provided; expected it from provideFiles`);
}
