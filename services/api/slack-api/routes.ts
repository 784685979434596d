import * as v from 'valibot'
import { personOf } from '#shared/access/person.ts'
import { Username } from '#shared/domain/payloads/values.ts'
import type { Endpoint } from '../middleware/endpoint.ts'
import { originForOthers } from '../middleware/origin.ts'
import { SlackError } from '../middleware/slack-form.ts'
import { channelMethods } from './channels.ts'
import { ephemeralMethods } from './ephemeral.ts'
import { fileMethods } from './files.ts'
import { historyMethods } from './history.ts'
import { messageMethods } from './messages.ts'
import { argument, method } from './method.ts'
import { peopleMethods } from './people.ts'

/** The subset of Slack's Web API (interface 19.8). */
export const slackEndpoints: readonly Endpoint[] = [
  ...method('api.test', { scope: 'read' }, ({ args }) => {
    const error = argument(args, 'error')
    if (error !== undefined) throw new SlackError(error.slice(0, 100))
    return {}
  }),

  ...method(
    'auth.test',
    {
      scope: 'read',
      answer: {
        url: v.string(),
        team: v.string(),
        team_id: v.string(),
        user: Username,
        user_id: Username,
        bot_id: v.exactOptional(Username),
      },
    },
    async ({ stores, config, req, viewer }) => {
      const origin = originForOthers(req, config)
      const isBot = (await personOf(stores.db, viewer))?.kind === 'bot'
      return {
        url: `${origin}/`,
        team: stores.settings.current.workspace_name,
        team_id: new URL(origin).host,
        user: viewer,
        user_id: viewer,
        ...(isBot && { bot_id: viewer }),
      }
    },
  ),

  ...messageMethods,
  ...ephemeralMethods,
  ...channelMethods,
  ...historyMethods,
  ...peopleMethods,
  ...fileMethods,

  ...method(':method', { scope: 'read' }, () => {
    throw new SlackError('unknown_method')
  }),
]
