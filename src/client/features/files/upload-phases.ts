import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { onPersonalDataCleared } from "#ui/personal-data.ts";
import type { FileState, PrintFile, UploadPhase, Verdict } from "./print-file.ts";

/** Progress of files that are not uploaded yet, by key. In memory only. */
const phases = createStore<Readonly<Record<string, UploadPhase>>>(() => ({}));
onPersonalDataCleared(() => phases.setState({}, true));

/** A queued file, or one that another tab uploads. */
const IDLE: UploadPhase = { step: "queued" };

export function setPhase(key: string, phase: UploadPhase): void {
  phases.setState({ [key]: phase });
}

export function findPhase(key: string): UploadPhase | undefined {
  return phases.getState()[key];
}

export function clearPhase(key: string): void {
  const { [key]: _gone, ...others } = phases.getState();
  phases.setState(others, true);
}

export function useFileState(file: PrintFile): FileState {
  return stateOf(
    file,
    useStore(phases, (all) => all[file.key]),
  );
}

export function useFileStates(files: readonly PrintFile[]): FileState[] {
  const all = useStore(phases);
  return files.map((file) => stateOf(file, all[file.key]));
}

function stateOf({ uploaded, refusal, verdict }: PrintFile, phase: UploadPhase | undefined): FileState {
  if (uploaded) return { step: "done", pages: uploaded.pages };
  return phase ?? (refusal ? refusedPhase(refusal, verdict) : IDLE);
}

/** The state of a file that was refused. */
export function refusedPhase(message: string, verdict: Verdict | undefined): UploadPhase {
  return verdict === "locked" || verdict === "wrong"
    ? { step: "locked", message, isWrong: verdict === "wrong" }
    : { step: "failed", message, isUseless: verdict === "useless" };
}
