/** Polls in a test every 5 ms until the value is as wanted, and returns it; the timeout of the test limits the wait. */
export const pollUntil = async <Seen>(
  look: () => Seen | Promise<Seen>,
  wanted: (seen: Seen) => boolean,
): Promise<Seen> => {
  for (;;) {
    const seen = await look()
    if (wanted(seen)) return seen
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
