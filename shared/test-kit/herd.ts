import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'

const SOMAXCONN = '/proc/sys/net/core/somaxconn'
const CONNECTIONS = 1_000

/** True if this system queues enough connections for `connectHerd`. */
export const systemQueuesHerd = (): boolean =>
  existsSync(SOMAXCONN) && Number(readFileSync(SOMAXCONN, 'utf8')) >= 2 * CONNECTIONS

/**
 * Opens a thousand connections to a process that listens as one of ours and accepts none. Fails unless all are
 * established, which is up to the listen queue alone.
 */
export async function connectHerd(listener: 'service' | 'front door'): Promise<void> {
  const child = fork(join(import.meta.dirname, 'herd.fixture.ts'), [listener])
  const sockets: Socket[] = []
  try {
    const port = await portOf(child)
    // The child is busy from here on.
    child.send('be busy')
    await once(child, 'message')
    for (let i = 0; i < CONNECTIONS; i++) sockets.push(connect(port, '127.0.0.1'))
    // Without room in the queue, TCP repeats the request after 1, 3, 7 … seconds: those connections come too late.
    const signal = AbortSignal.timeout(10_000)
    await Promise.all(sockets.map(socket => once(socket, 'connect', { signal })))
    expect(child.exitCode).to.equal(null)
  } finally {
    for (const socket of sockets) socket.destroy()
    child.kill('SIGKILL')
  }
}

/** A listener of ours tells its parent other things, too. */
const portOf = (child: ChildProcess) =>
  new Promise<number>(done => {
    child.on('message', message => {
      if (typeof message === 'number') done(message)
    })
  })
