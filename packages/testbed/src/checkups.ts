import { formatTable } from "@gridlock/report";
import {
  licenseFaults,
  licenseTable,
  outdatedPackages,
  productionPackages,
} from "./dependencies.js";

/** A check of a release that puts no run in trouble. */
export interface Checkup {
  /** What is checked or measured. */
  readonly what: string;
  /** Passes text to `tell`; returns faults, as sentences. */
  run(tell: (text: string) => void): Promise<readonly string[]>;
}

/** All checkups, by name. */
export const CHECKUPS: Readonly<Record<string, Checkup>> = {
  licences: {
    what: "checks that the dependencies' licenses are permissive",
    async run(tell) {
      const packages = await productionPackages();
      tell(formatTable(["license", "packages", ""], licenseTable(packages), [1]));
      return licenseFaults(packages);
    },
  },
  versions: {
    what: "compares pinned versions with the newest on the registry",
    async run(tell) {
      const rows = await outdatedPackages();
      tell(formatTable(["package", "pinned", "newest", "held back because"], rows));
      return [];
    },
  },
};
