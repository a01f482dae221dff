import { Button } from "@mantine/core";
import { Notice } from "./notice.tsx";

/** What any error shows that no page foresaw. */
export function CrashPage({ reset }: { reset: () => void }) {
  return (
    <Notice
      title="Unexpected Application Error!"
      text="Something broke on our side. Nothing that you uploaded or ordered is lost."
    >
      <Button onClick={reset}>Try again</Button>
    </Notice>
  );
}
