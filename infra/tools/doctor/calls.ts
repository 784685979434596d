import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Milliseconds } from '#shared/domain/units.ts'
import { type Finding, good, skipped, warning } from './finding.ts'
import { usableValue } from './variables.ts'

/** UDP may lose a request. */
const ATTEMPTS = 3
const WAIT: Milliseconds = 1_000

/** Whether STUN answers if bothy runs on this machine, else whether its port is free. */
export async function examineCalls(
  isRunning: boolean,
  port: number,
  env: NodeJS.ProcessEnv,
): Promise<Finding> {
  const part = 'calls'
  // In a container, the service is another one, in a network that this one does not have.
  if (env['PUBLISHED_PORT'])
    return skipped(part, 'Administration, “Ready for the office?” asks STUN from your browser')
  if (!isRunning)
    return (await isFree(port))
      ? good(part, `UDP ${port} is free`)
      : warning(part, `UDP ${port} is taken`, 'Set STUN_PORT: calls across networks need it.')
  const host = usableValue(env, 'STUN_BIND')?.[0] ?? '127.0.0.1'
  if (await answersStun(host, port)) return good(part, `STUN answers at UDP ${port}`)
  // No fault, which would stop an upgrade that may mend it.
  return warning(
    part,
    `STUN does not answer at UDP ${port}: calls across networks fail`,
    'See the log of stun; set STUN_PORT if another program has the port.',
  )
}

async function answersStun(host: string, port: number): Promise<boolean> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  // A refused port is an error of the socket.
  socket.on('error', () => {})
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) if (await isAnswered(socket, host, port)) return true
    return false
  } finally {
    socket.close()
  }
}

/** Sends a binding request (RFC 8489, section 5). */
function isAnswered(socket: Socket, host: string, port: number): Promise<boolean> {
  const request = Buffer.concat([Buffer.from([0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42]), randomBytes(12)])
  return new Promise(done => {
    const end = (answered: boolean) => {
      clearTimeout(timer)
      socket.off('message', onMessage)
      done(answered)
    }
    const onMessage = (answer: Buffer) => {
      if (answer.readUInt16BE(0) === 0x0101 && answer.subarray(4, 20).equals(request.subarray(4))) end(true)
    }
    const timer = setTimeout(() => end(false), WAIT)
    socket.on('message', onMessage)
    socket.send(request, port, host)
  })
}

function isFree(port: number): Promise<boolean> {
  return new Promise(done => {
    const socket = createSocket('udp4')
    socket.once('error', () => {
      socket.close()
      done(false)
    })
    socket.bind(port, () => socket.close(() => done(true)))
  })
}
