import { ownItems } from "../../lib/storage.ts";
import { handOver } from "../files/file-actions.ts";
import { restoreFiles } from "../files/file-restore.ts";
import { type ChosenFiles, keepLimits, type OptionChoices, type PrintFile } from "../files/print-file.ts";
import { draftName, parseChoices, parseDraft, placedDraft } from "./draft.ts";
import { draftFiles, FILES_KEPT_MS, openDraft } from "./draft-store.ts";

const lastShop = (userId: string) => `last-shop:${userId}`;
const choicesAt = (userId: string, shopId: string) => `choices:${userId}:${shopId}`;

/** Called when this student goes on to an order: the next one begins with the same shop and choices. */
export function rememberShop(userId: string, shopId: string, choices: OptionChoices): void {
  ownItems.set(lastShop(userId), shopId);
  ownItems.set(choicesAt(userId, shopId), choices);
}

/** The shop where this student last went on to an order; null if this browser knows none. */
export function lastShopId(userId: string): string | null {
  const stored = ownItems.get(lastShop(userId));
  return typeof stored === "string" ? stored : null;
}

/** The student's last choices at this shop. */
export function rememberedChoices(userId: string, shopId: string): OptionChoices {
  return parseChoices(ownItems.get(choicesAt(userId, shopId)));
}

/** Files that the student added for an order at another shop. */
interface FilesElsewhere {
  shopId: string;
  names: string[];
}

/** The latest files at another shop that the store still has; null if there are none. */
export function findFilesElsewhere(userId: string, shopId: string): FilesElsewhere | null {
  const prefix = draftName(userId, "");
  const drafts = ownItems
    .names()
    .filter((name) => name.startsWith(prefix) && name !== draftName(userId, shopId))
    .filter((name) => !name.startsWith(draftName(userId, placedDraft(""))))
    .map((name) => ({
      shopId: name.slice(prefix.length),
      files: keptFiles(parseDraft(ownItems.get(name)).files),
    }))
    .filter(({ files }) => files.length > 0)
    .toSorted((a, b) => latest(b.files) - latest(a.files));
  const [found] = drafts;
  return found ? { shopId: found.shopId, names: found.files.map(({ name }) => name) } : null;
}

/**
 * Moves those files into this list, with the pages that are chosen of them, but without options of the other shop.
 * Nothing is uploaded again.
 */
export function bringFiles(chosen: ChosenFiles, { shopId }: FilesElsewhere): void {
  const store = openDraft(chosen.owner, shopId);
  const { files, pages } = store.getState();
  const kept = keptFiles(files).map(({ key }) => key);
  const brought = keepLimits(files, pages || "all")
    .filter(({ key }) => kept.includes(key))
    .map(({ own, ...file }) => ({
      ...file,
      ...(own?.layout && { own: { layout: own.layout, options: {} } }),
    }));
  handOver(draftFiles(store, chosen.owner), chosen, brought);
  void restoreFiles(chosen);
}

function keptFiles(files: readonly PrintFile[]): PrintFile[] {
  return files.filter(({ chosenAt = 0 }) => chosenAt > Date.now() - FILES_KEPT_MS);
}

function latest(files: readonly PrintFile[]): number {
  return Math.max(...files.map(({ chosenAt = 0 }) => chosenAt));
}
