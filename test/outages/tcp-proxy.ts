import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** TCP proxy of outage tests that can stop forwarding silently and switch to another port. */
export type TcpProxy = {
  port: number
  /** Stops forwarding without closing connections. */
  cut(): void
  mend(): void
  /** Switches to another port and closes existing connections. */
  leadTo(port: number): void
  close(): void
}

export const openTcpProxy = async (to: number): Promise<TcpProxy> => {
  const pairs = new Set<readonly [Socket, Socket]>()
  let [target, isCut] = [to, false]
  const hold = ([near, far]: readonly [Socket, Socket]) => {
    near.pause()
    far.pause()
  }
  const letGo = (pair: readonly [Socket, Socket]) => {
    const [near, far] = pair
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      if (from.listenerCount('data') === 0) from.on('data', chunk => void into.write(chunk))
      from.resume()
    }
  }
  const server = createServer({ pauseOnConnect: true }, near => {
    const far = connect(target, '127.0.0.1').pause()
    const pair = [near, far] as const
    pairs.add(pair)
    for (const [one, other] of [pair, [far, near] as const]) {
      one.on('error', () => undefined)
      one.once('end', () => other.end())
      one.once('close', () => {
        pairs.delete(pair)
        if (!isCut)
          other.destroy() // the word does not come through a line that is cut
        else waiting.push(other)
      })
    }
    if (!isCut) letGo(pair)
  })
  const waiting: Socket[] = []
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true
      for (const pair of pairs) hold(pair)
    },
    mend: () => {
      isCut = false
      for (const socket of waiting.splice(0)) socket.destroy()
      for (const pair of pairs) letGo(pair)
    },
    leadTo: port => {
      target = port
      for (const socket of [...pairs].flat()) socket.destroy()
    },
    close: () => {
      server.close()
      for (const socket of [...pairs].flat()) socket.destroy()
    },
  }
}
