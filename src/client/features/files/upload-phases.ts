import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { onPersonalDataCleared } from "#ui/personal-data.ts";
import type { PrintFile, Verdict } from "./print-file.ts";

/** The progress of a file that is not uploaded yet. `share` of its bytes was sent, from 0 to 1. */
export type UploadPhase =
  | { step: "preparing" }
  | { step: "queued" }
  | { step: "uploading"; share: number }
  | { step: "counting" }
  | { step: "converting" }
  | { step: "waiting" }
  | { step: "failed"; message: string; isUseless?: boolean }
  | { step: "locked"; message: string; isWrong: boolean }
  | { step: "missing"; message: string };

/** The state of a file, for its row. */
export type FileState = UploadPhase | { step: "done"; pages: number };

/** Whether the file is uploading, or will upload without an action of the student. */
export function isUnderWay(state: FileState): boolean {
  return state.step !== "done" && !needsStudent(state);
}

/** Whether the file was not uploaded, and will not be without an action of the student. */
export function needsStudent({ step }: FileState): boolean {
  return step === "failed" || step === "locked" || step === "missing";
}

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
