import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { engineAnswers } from '../dev-stores/containers.ts'

const run = promisify(execFile)
const IMAGES = ['node:24-bookworm-slim', 'postgres:17', 'redis:7', 'caddy:2']
const OLDEST_ENGINE = 25

/** Returns the reason to skip a test that starts docker-compose.yml, or undefined. */
export async function whyNoCompose(): Promise<string | undefined> {
  if (!(await engineAnswers())) return 'no container engine answers'
  const works = (...args: string[]) =>
    run('docker', args).then(
      () => true,
      () => false,
    )
  if (!(await works('compose', 'version'))) return 'the engine has no “docker compose”'
  // Older ones refuse `start_interval`.
  const { stdout: version } = await run('docker', ['version', '--format', '{{.Server.Version}}'])
  if (Number.parseInt(version, 10) < OLDEST_ENGINE) return `the engine is older than ${OLDEST_ENGINE}`
  for (const image of IMAGES) {
    if (!(await works('image', 'inspect', image)) && !(await works('pull', '--quiet', image))) {
      return `the image ${image} cannot be had`
    }
  }
  return undefined
}
