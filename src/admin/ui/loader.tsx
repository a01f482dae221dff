import { Center, Loader as Spinner } from "@mantine/core";

export function Loader() {
  return (
    <Center mih="40vh" role="status" aria-label="Loading...">
      <Spinner size="sm" />
    </Center>
  );
}
