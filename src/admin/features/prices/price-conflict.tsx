import { Alert, Button, Group } from "@mantine/core";
import { useState } from "react";
import { recentText } from "#admin/lib/times.ts";
import { comparePriceLists, type PriceLists } from "#shared/price-list.ts";
import { ChangeList } from "./change-list.tsx";

interface PriceConflictProps {
  theirs: { savedBy: string | null; savedAt: string | null; lists: PriceLists };
  /** What both began with. */
  base: PriceLists;
  onMerge: () => void;
  onTakeTheirs: () => void;
}

/** Someone else saved the list meanwhile. What was typed stays until the person says what to do with it. */
export function PriceConflict({ theirs, base, onMerge, onTakeTheirs }: PriceConflictProps) {
  const [comparing, setComparing] = useState(false);
  const when = theirs.savedAt ? `, ${recentText(theirs.savedAt)}` : "";
  return (
    <Alert
      color="red"
      role="alert"
      title={`${theirs.savedBy ?? "Someone else"} saved this price list while you were editing it${when}`}
    >
      What you typed is still here, and not saved.
      <Group gap="xs" mt="xs">
        <Button
          size="xs"
          variant="default"
          aria-expanded={comparing}
          onClick={() => setComparing(!comparing)}
        >
          {comparing ? "Hide their changes" : "See their changes"}
        </Button>
        <Button size="xs" variant="default" onClick={onMerge}>
          Put my changes on top of theirs
        </Button>
        <Button size="xs" variant="default" onClick={onTakeTheirs}>
          Drop my changes
        </Button>
      </Group>
      {comparing && (
        <div style={{ marginTop: "0.75rem" }}>
          <ChangeList changes={comparePriceLists(base, theirs.lists)} />
        </div>
      )}
    </Alert>
  );
}
