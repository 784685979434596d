/** Webhooks of Gitea and Forgejo, which have the fields of GitHub's and a few names of their own. */
import { fromGithub } from './github.ts'
import { type HookInput, type HookShape, headerIn } from './shape.ts'
import { objectAt, textAt } from './words.ts'

const REVIEWS: Record<string, string> = {
  pull_request_approved: 'approved',
  pull_request_rejected: 'changes_requested',
  pull_request_comment: 'commented',
}

export const gitea: HookShape = {
  name: 'gitea',
  isIn: input => eventOf(input) !== undefined,
  convert: input => {
    const event = eventOf(input) ?? ''
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

const eventOf = (input: HookInput) => headerIn(input, 'x-gitea-event') ?? headerIn(input, 'x-forgejo-event')
