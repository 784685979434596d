import { accessSync, constants, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { ConfigurationError } from '#shared/runtime/config.ts'
import { listenFault } from '#shared/runtime/listen-fault.ts'
import { type Fault, faultsOfGiven, reasonOf, unusable } from '#shared/runtime/variables.ts'
import { DATA } from '../processes/data-folder.ts'

/** Throws for variables that `npm start` cannot use, before it builds or starts anything. Imports no package. */
export async function checkConfiguration(env: NodeJS.ProcessEnv): Promise<void> {
  const faults = faultsOfGiven(env)
  const host = env['LISTEN_HOST']
  if (host && !faults.some(({ found }) => found.startsWith('LISTEN_HOST')))
    faults.push(...(await faultsOfHost(host)))
  faults.push(...faultsOfData())
  if (faults.length > 0) throw new ConfigurationError(faults)
}

function faultsOfHost(host: string): Promise<readonly Fault[]> {
  return new Promise(done => {
    const server = createServer()
    server.once('error', err => done(listenFault(err, { port: 0, host, variable: 'PORT' })?.details ?? []))
    server.listen({ port: 0, host }, () => server.close(() => done([])))
  })
}

function faultsOfData(): Fault[] {
  try {
    mkdirSync(DATA, { recursive: true })
    accessSync(DATA, constants.W_OK)
    return []
  } catch (err) {
    const next = 'Name another folder, or give this one to the account (chown).'
    return [unusable('BOTHY_DATA', DATA, `the data folder cannot be written (${reasonOf(err)})`, next)]
  }
}

// As a program: what `npm start` runs before it installs packages (bootstrap.mjs).
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await checkConfiguration(process.env)
  } catch (err) {
    if (!(err instanceof ConfigurationError)) throw err
    for (const fault of err.faults) console.error(fault)
    process.exitCode = 1
  }
}
