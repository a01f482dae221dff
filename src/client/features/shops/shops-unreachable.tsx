import { Button } from "@mantine/core";
import classes from "./shop-finder.module.css";

export function ShopsUnreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className={classes.nothing}>
      <h2>The shops cannot be shown</h2>
      <p>The store did not answer. Check your connection and try again.</p>
      <Button onClick={() => onRetry()}>Try again</Button>
    </div>
  );
}
