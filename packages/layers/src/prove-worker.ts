/* The thread of `makeCertificateFromLayers`. */
import { type CertifyProgress, certify } from "@gridlock/solver";
import { answerRequests, notify } from "@gridlock/store";
import type { LayersProofTask } from "./prove.js";
import { LayersReader } from "./reader.js";

const post = (progress: CertifyProgress) => notify(progress);

answerRequests((task: LayersProofTask) =>
  certify(task, post, (learn) => {
    const onDamage = (file: string) =>
      post({ note: `${file} is missing or damaged; searching again for what it had` });
    const layers = new LayersReader(task.game, task.folder, onDamage);
    for (const { board, lo, hi } of layers.bounds()) learn({ turn: "placer", board, lo, hi });
  }),
);
