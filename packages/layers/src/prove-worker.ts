/* The thread of `makeCertificateFromLayers`. */
import { certify } from "@gridlock/solver";
import { answerRequests, notify } from "@gridlock/store";
import type { LayersNotice, LayersProofTask } from "./prove.js";
import { LayersReader } from "./reader.js";

const post = (notice: LayersNotice) => notify(notice);

answerRequests((task: LayersProofTask) =>
  certify(task, post, (learn) => {
    const onDamage = (damaged: string) => post({ damaged });
    const layers = new LayersReader(task.game, task.folder, onDamage);
    for (const { board, lo, hi } of layers.bounds()) learn({ turn: "placer", board, lo, hi });
  }),
);
