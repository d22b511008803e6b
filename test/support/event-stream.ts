type ServerEvent = { event: string; id: string; data: string }

type Request = (url: string, init: RequestInit) => Response | Promise<Response>

/** Reads a stream of server-sent events until `stop`: every block as it came, and the events with data among them. */
export const readEventStream = async (url: string, headers: Record<string, string> = {}, request: Request = fetch) => {
  const stopping = new AbortController()
  const response = await request(url, { headers, signal: stopping.signal })
  const heard: string[] = []
  const told: ServerEvent[] = []
  const over = (async () => {
    let rest = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      rest += chunk
      const blocks = rest.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        heard.push(block)
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
        if (field('data') !== '') told.push({ event: field('event'), id: field('id'), data: field('data') })
      }
    }
    return 'ended'
  })().catch(String)
  return { response, heard, told, over, stop: () => stopping.abort() }
}
