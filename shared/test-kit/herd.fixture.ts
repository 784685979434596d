import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listener } from '#shared/runtime/lifecycle.ts'
import { openFrontDoor } from '../../infra/run/front-door.ts'

/** A process that listens as the services or the front door do, and accepts nothing once told to be busy. */

const HOST = '127.0.0.1'

async function listenAsService(): Promise<number> {
  const server = createServer()
  await listener(server, 0, HOST).start?.()
  return (server.address() as AddressInfo).port
}

async function listenAsFrontDoor(): Promise<number> {
  const { port } = await openFrontDoor({ api: () => [], events: () => [], host: HOST })
  return port
}

process.send!(await (process.argv[2] === 'front door' ? listenAsFrontDoor() : listenAsService()))
process.once('message', () => {
  process.send!('busy', () => {
    // Longer than the test lasts: it kills this process.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })
})
