import { Anchor, Button, Center, Group, Loader as Spinner, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Link, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { messageOf } from "#ui/errors.ts";
import { LogoMark } from "#ui/logo.tsx";
import classes from "./screen.module.css";

interface PageHeaderProps {
  title: string;
  /** One line on the purpose of the screen, if its title is not enough. */
  lead?: string;
  /** Actions, at the right. */
  children?: ReactNode;
}

/** The header of a screen; it also sets the tab's title. */
export function PageHeader({ title, lead, children }: PageHeaderProps) {
  useDocumentTitle(`${title} · Print Store staff`);
  return (
    <Group justify="space-between" gap="sm" mb="md">
      <div>
        <Title order={1} size="h3">
          {title}
        </Title>
        {lead && <Text c="dimmed">{lead}</Text>}
      </div>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}

/** A screen without the console's layout: one centered sheet. */
export function CenteredScreen({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(`${title} · Print Store staff`);
  return (
    <main className={classes.screen}>
      <div className={classes.sheet}>
        <LogoMark className={classes.mark} />
        <Title order={1} size="h3" mb="md">
          {title}
        </Title>
        {children}
      </div>
    </main>
  );
}

export function Loader() {
  return (
    <Center mih="40vh" role="status" aria-label="Loading...">
      <Spinner size="sm" />
    </Center>
  );
}

interface ScreenMessageProps {
  title: string;
  text: string;
  /** 1 if it is the whole screen. */
  order?: 1 | 2;
  children?: ReactNode;
}

/** An empty screen, or part of one, with a message and actions. */
export function ScreenMessage({ title, text, order = 2, children }: ScreenMessageProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <Title order={order} size="h4">
        {title}
      </Title>
      <Text c="dimmed" maw="44ch">
        {text}
      </Text>
      {children}
    </Stack>
  );
}

/** Shown instead of a screen that could not be loaded. */
export function LoadFailure({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <ScreenMessage order={1} title="This could not be loaded" text={messageOf(error)}>
      <Button variant="default" onClick={() => router.invalidate()}>
        Try again
      </Button>
    </ScreenMessage>
  );
}

/** Shown for an unknown URL. */
export function NotFound() {
  return (
    <CenteredScreen title="Page not found">
      <Text mb="md">The page may have moved, or the address is mistyped.</Text>
      <Anchor component={Link} to="/" underline="always">
        Go to the start page
      </Anchor>
    </CenteredScreen>
  );
}

interface QueryFailureProps {
  title: string;
  query: { error: unknown; refetch: () => unknown };
}

/** Shown instead of a part of a screen that could not be loaded. */
export function QueryFailure({ title, query }: QueryFailureProps) {
  return (
    <ScreenMessage title={title} text={messageOf(query.error)}>
      <Button variant="default" onClick={() => query.refetch()}>
        Try again
      </Button>
    </ScreenMessage>
  );
}
