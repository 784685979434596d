import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'
import { variableText } from '#shared/runtime/variables.ts'
import { withPreparingClient } from '#shared/stores/preparing-client.ts'
import { countSealed, type SealedCount } from '#shared/stores/sealed-values.ts'
import { secretsUnder } from '#shared/stores/secrets.ts'
import { DATA } from '../environment.ts'
import { serverIn } from './database.ts'
import { type Finding, fault, good, skipped, warning } from './finding.ts'

const PART = 'stored secrets'

/** Whether the secrets of hooks and commands open under the keys of this environment. */
export async function examineStoredSecrets(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const server = serverIn(env)
  const sessionSecret = sessionKey(env, 'SESSION_SECRET', join(DATA, 'session-secret'))
  if (server === undefined || sessionSecret === undefined)
    return [skipped(PART, `${server ? 'SESSION_SECRET' : 'the database'} is not known here`)]
  const secretsKey = variableText('SECRETS_KEY', env)
  const previousSessionSecret = sessionKey(env, 'SESSION_SECRET_PREVIOUS')
  const secrets = secretsUnder({ secretsKey, sessionSecret, previousSessionSecret })
  try {
    const count = await withPreparingClient(server.url, client => countSealed(client, secrets))
    return findingsOf(count, secretsKey === undefined ? 'SESSION_SECRET' : 'SECRETS_KEY')
  } catch {
    // Told as `database` and `schema`.
    return [skipped(PART, 'the database does not answer, or lacks its schema')]
  }
}

const NAMES = { hooks_in: 'incoming hooks', hooks_out: 'outgoing hooks', slash_commands: 'commands' }

function findingsOf({ current, former, unreadable }: SealedCount, variable: string): Finding[] {
  const tables = (Object.keys(NAMES) as (keyof typeof NAMES)[]).filter(table => unreadable[table])
  const lost = tables.reduce((sum, table) => sum + unreadable[table]!, 0)
  const findings: Finding[] = []
  if (lost > 0)
    findings.push(
      fault(
        PART,
        `${lost} do not open under SECRETS_KEY, SESSION_SECRET or SESSION_SECRET_PREVIOUS (${tables.map(table => `${unreadable[table]} of ${NAMES[table]}`).join(', ')}). Allowed: the key that encrypted them, at least 32 characters`,
        'Set that key, as SECRETS_KEY or, if it was a session key, as SESSION_SECRET_PREVIOUS; an encrypted backup has it (restore --settings-to). Else give these hooks new secrets, and make these commands anew.',
      ),
    )
  if (former > 0)
    findings.push(
      warning(
        PART,
        `${former} are still under a former key`,
        'Keep that key set: the janitor encrypts them anew within ten minutes.',
      ),
    )
  if (findings.length === 0) findings.push(good(PART, `all ${current} are under ${variable}`))
  return findings
}

/** The key in the variable or in its file; undefined without either. */
function sessionKey(env: NodeJS.ProcessEnv, name: string, usualFile?: string): string | undefined {
  if (env[name]) return env[name]
  const path = env[`${name}_FILE`] || usualFile
  if (!path || !existsSync(resolve(ROOT, path))) return undefined
  return readFileSync(resolve(ROOT, path), 'utf8').trim() || undefined
}
