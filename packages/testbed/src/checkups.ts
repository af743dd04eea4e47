import { formatTable } from "@gridlock/report";
import {
  licenseFaults,
  licenseTable,
  outdatedPackages,
  productionPackages,
} from "./dependencies.js";
import { measureBeats, WAITING } from "./queue-beats.js";

/** A check of a release that puts no run in trouble. */
export interface Checkup {
  /** What is checked or measured. */
  readonly what: string;
  /** Passes text to `tell`; returns faults, as sentences. */
  run(tell: (text: string) => void): Promise<readonly string[]>;
}

/** Commands of Redis that are listed by the time that they take. */
const LISTED = 3;

export const CHECKUPS: Readonly<Record<string, Checkup>> = {
  jobs: {
    what: "measures Redis's work for a coordinator with a thousand waiting jobs",
    async run(tell) {
      const { total, commands } = await measureBeats(WAITING);
      const longest = commands.slice(0, LISTED).map(([name, ms]) => `${name} ${ms.toFixed(1)}`);
      const row = [`${WAITING}`, total.toFixed(1), longest.join(", ")];
      tell(formatTable(["waiting jobs", "ms a second", "longest"], [row], [0, 1]));
      return [];
    },
  },
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
