import { onPersonalDataCleared } from "#ui/personal-data.ts";
import { openSuccess } from "../../ui/popup/popup-store.ts";

/** A file that was removed from the list and can still be put back. */
interface Removal {
  name: string;
  putBack: () => void;
  /** Deletes it in this browser and in the store. */
  forget: () => Promise<void>;
}

/** The removals that the shown popup offers to undo. */
let waiting: readonly Removal[] = [];
let closePopup = () => {};
onPersonalDataCleared(() => {
  waiting = [];
  closePopup();
});

/** Offers to undo the removal, together with those that are still offered; the files are deleted when the offer goes. */
export function offerUndo(removal: Removal): void {
  const offered = [...waiting, removal];
  waiting = offered;
  closePopup();
  const title = offered.length === 1 ? `“${removal.name}” removed` : `${offered.length} files removed`;
  const popup = openSuccess({ title }, { label: "Undo", act: () => putBack(offered) });
  closePopup = popup.close;
  void popup.closed.then(() => {
    if (waiting === offered) void forgetRemoved();
  });
}

/** Deletes the files whose removal could still be undone. @returns whether there were any */
export async function forgetRemoved(): Promise<boolean> {
  const removals = waiting;
  waiting = [];
  closePopup();
  await Promise.all(removals.map(({ forget }) => forget()));
  return removals.length > 0;
}

/** The last one first, so that each returns to its place. */
function putBack(removals: readonly Removal[]): void {
  if (waiting !== removals) return;
  waiting = [];
  for (const removal of removals.toReversed()) removal.putBack();
}
