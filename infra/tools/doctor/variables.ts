import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { listenFault } from '#shared/runtime/listen-fault.ts'
import { misspelledVariables } from '#shared/runtime/variable-names.ts'
import {
  faultsOfGiven,
  unusable,
  type VariableName,
  type Variables,
  variablesIn,
} from '#shared/runtime/variables.ts'
import { type Finding, fault, good, ofFault, warning, whyNot } from './finding.ts'

const PART = 'variables'

/** The variables of the environment: one line for each that no process could use. */
export function examineVariables(env: NodeJS.ProcessEnv): Finding[] {
  const wrong = faultsOfGiven(env).map(ofFault(PART))
  const misspelled = misspelledVariables(env).map(found =>
    warning(PART, found, 'Correct the name in .env, bothy.env or the shell, then start again.'),
  )
  return wrong.length + misspelled.length === 0 ? [good(PART, 'are usable')] : [...wrong, ...misspelled]
}

/** The value of a variable; undefined where it is missing, and where it is wrong, which `examineVariables` tells. */
export function usableValue<Name extends VariableName>(
  env: NodeJS.ProcessEnv,
  name: Name,
): Variables[Name] | undefined {
  return variablesIn(env, [], [name])[name]
}

/** Addresses to listen on that this machine does not have. */
export async function examineListening(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const host = usableValue(env, 'LISTEN_HOST')
  const binds = usableValue(env, 'STUN_BIND') ?? []
  const faults = await Promise.all([
    host === undefined ? [] : listening(host),
    ...binds.map(address => bound(address)),
  ])
  return faults.flat()
}

function listening(host: string): Promise<Finding[]> {
  return new Promise(done => {
    const server = createServer()
    server.once('error', err => {
      const told = listenFault(err, { port: 0, host, variable: 'PORT' })
      done(
        told?.details.map(ofFault('listening')) ?? [
          fault('listening', `LISTEN_HOST=${host}: ${whyNot(err)}`, 'Correct or remove it.'),
        ],
      )
    })
    server.listen({ port: 0, host }, () => server.close(() => done([])))
  })
}

function bound(address: string): Promise<Finding[]> {
  return new Promise(done => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
    socket.once('error', () => {
      socket.close()
      const next = 'Correct or remove it: “ip address” lists those of this machine.'
      done([ofFault('calls')(unusable('STUN_BIND', address, 'this machine has no such address', next))])
    })
    socket.bind(0, address, () => socket.close(() => done([])))
  })
}
