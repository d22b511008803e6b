/** Looks again and again until it sees what is wanted; the test's own timeout ends a vain wait. */
export const until = async <Seen>(look: () => Seen | Promise<Seen>, wanted: (seen: Seen) => boolean): Promise<Seen> => {
  for (;;) {
    const seen = await look()
    if (wanted(seen)) return seen
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
