import { Button } from "@mantine/core";
import { type ComponentType, lazy } from "react";

/**
 * A part of a page whose script comes later. Where it does not come, the rest of the page stays.
 * @param Missing in its place then: by default it says so
 */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
  Missing: ComponentType<Props> = MissingPart,
) {
  return lazy<ComponentType<Props>>(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: Missing }),
    ),
  );
}

/** The browser remembers the failure until the page is reloaded. */
function MissingPart() {
  return (
    <div>
      <p role="alert">This part of the page could not be loaded. Check your connection.</p>
      <Button variant="default" mt="sm" onClick={() => window.location.reload()}>
        Reload the page
      </Button>
    </div>
  );
}
