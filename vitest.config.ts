import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, by what their tests wait for or compute. Those that mostly wait
 * stand between those that mostly compute, so that the processors have work. Vitest starts with the
 * largest of the others.
 */
const LONG = [
  "cluster/test/coordinator.test.ts",
  "server/test/browser/browser.test.ts",
  "cluster/test/trouble.test.ts",
  "cluster/test/run.test.ts",
  "site/test/site.test.ts",
  "cluster/test/recovery.test.ts",
  "testbed/test/cluster-faults.test.ts",
  "server/test/runs.test.ts",
  "testbed/test/packages.test.ts",
  "cluster/test/link.test.ts",
  "cli/test/docs.test.ts",
];

for (const name of LONG) {
  if (!existsSync(new URL(`packages/${name}`, import.meta.url))) {
    throw new Error(`vitest.config.ts lists packages/${name}, which does not exist`);
  }
}

/** Starts the longest files first, so that none is left to run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((name) => moduleId.endsWith(name));
      return place < 0 ? LONG.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** Tests that look at what their process has open. */
const ALONE = ["redis-cluster", "redis-options", "server-check", "tls"].map(
  (name) => `packages/cluster/test/${name}.test.ts`,
);

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: ["packages/*/test/**/*.test.ts"],
          exclude: ALONE,
          // Files share processes, which saves starting one for each, and loading the packages
          // again.
          isolate: false,
        },
      },
      { extends: true, test: { name: "alone", include: ALONE } },
    ],
    globalSetup: "scripts/bundle.js", // the command in the tests is that of the compiled packages
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } }, // on a slow machine, too
    // More than there are processors: much of what is tested waits for locks, servers and other
    // processes.
    maxWorkers: availableParallelism() + 6,
    // Node runs the compiled packages as they are; rewritten by Vite, they would take a fifth
    // longer.
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
    tags: [
      {
        name: "long",
        description:
          "Long and random runs, of which `npm test` has shorter forms: `npm run test:long`.",
      },
      {
        name: "fault",
        description: "All faults, for hours, which nothing runs but `npm run faults`.",
      },
    ],
    sequence: { sequencer: LongestFirst },
  },
});
