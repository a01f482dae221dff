import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

export function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      <header>
        <Link to="/">Print Store</Link>
      </header>
      <main id="content">{children}</main>
    </>
  );
}
