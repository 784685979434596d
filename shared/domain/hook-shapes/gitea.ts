/** Webhooks of Gitea and Forgejo, which have the fields of GitHub's and a few names of their own. */
import type { Fields } from '../slack-values.ts'
import { fromGithub } from './github.ts'
import { type HookInput, type HookShape, headerIn } from './shape.ts'
import { objectAt, textAt } from './words.ts'

const REVIEWS: Record<string, string> = {
  pull_request_approved: 'approved',
  pull_request_rejected: 'changes_requested',
  pull_request_comment: 'commented',
}

/** Runs of Forgejo's Actions. A recovery comes with a success too, which is left out. */
const RUNS: Record<string, string> = { action_run_failure: 'failure', action_run_recover: 'success' }

export const gitea: HookShape = {
  name: 'gitea',
  isIn: input => eventOf(input) !== undefined,
  convert: input => {
    const event = eventOf(input) ?? ''
    const conclusion = Object.hasOwn(RUNS, event) ? RUNS[event] : undefined
    // A run that somebody cancelled counts as failed there.
    if (conclusion !== undefined && textAt(input.body, 'run.status') !== 'cancelled')
      return fromGithub('workflow_run', { ...input, body: workflowRun(input.body, conclusion) })
    const state = Object.hasOwn(REVIEWS, event) ? REVIEWS[event] : undefined
    if (state === undefined) return fromGithub(event, input)
    const review = { state, body: textAt(input.body, 'review.content') }
    const body = {
      ...input.body,
      action: 'submitted',
      review,
      pull_request: objectAt(input.body, 'pull_request'),
    }
    return fromGithub('pull_request_review', { ...input, body })
  },
}

/** As GitHub tells it; the file of the workflow is its name. */
function workflowRun(body: Fields, conclusion: string): Fields {
  const run = objectAt(body, 'run') ?? {}
  return {
    action: 'completed',
    workflow_run: { ...run, name: run['workflow_id'], head_branch: run['prettyref'], conclusion },
    repository: run['repository'],
  }
}

const eventOf = (input: HookInput) => headerIn(input, 'x-gitea-event') ?? headerIn(input, 'x-forgejo-event')
