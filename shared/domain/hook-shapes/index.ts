/** Forms of foreign programs, in the order in which a body without a named shape is recognised (interface 19.4). */
import { alertmanager, grafana } from './alerts.ts'
import { bitbucket } from './bitbucket.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { jira } from './jira.ts'
import { sentry } from './sentry.ts'
import type { HookInput, HookShape } from './shape.ts'
import { uptimeKuma } from './uptime-kuma.ts'

// Gitea before GitHub, whose header it sends too.
const SHAPES: readonly HookShape[] = [
  gitea,
  github,
  gitlab,
  bitbucket,
  jira,
  grafana,
  alertmanager,
  sentry,
  uptimeKuma,
]

export const hookShapes: ReadonlyMap<string, HookShape> = new Map(SHAPES.map(shape => [shape.name, shape]))

export const shapeOf = (input: HookInput): HookShape | undefined => SHAPES.find(shape => shape.isIn(input))
