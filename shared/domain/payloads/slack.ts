/** Objects of Slack's Web API as its subset here has them (interface 19.8). Absent keys are left out. */
import * as v from 'valibot'
import { MessageCard } from './messages.ts'
import { ChannelId, Username, wholeNumber } from './values.ts'

/** The time of a message in seconds, with six decimals. */
export const SlackTime = v.pipe(v.string(), v.regex(/^\d+\.\d{6}$/))

const { author, author_url, url, image, ...ofCard } = MessageCard.entries

export const SlackAttachmentPayload = v.strictObject({
  ...ofCard,
  author_name: author,
  author_link: author_url,
  title_link: url,
  image_url: image,
})

export const SlackMessagePayload = v.strictObject({
  type: v.literal('message'),
  subtype: v.exactOptional(v.picklist(['system', 'bot_message'])),
  bot_id: v.exactOptional(Username),
  /** The name that a bot chose for the message. */
  username: v.exactOptional(v.string()),
  user: v.string(),
  text: v.string(),
  ts: SlackTime,
  /** The id of the message in this interface. */
  client_msg_id: v.string(),
  thread_ts: v.exactOptional(SlackTime),
  reply_count: v.exactOptional(wholeNumber),
  latest_reply: v.exactOptional(SlackTime),
  edited: v.exactOptional(v.strictObject({ user: v.string(), ts: SlackTime })),
  reactions: v.exactOptional(
    v.array(v.strictObject({ name: v.string(), users: v.array(v.string()), count: wholeNumber })),
  ),
  files: v.exactOptional(
    v.array(
      v.strictObject({
        id: v.string(),
        name: v.exactOptional(v.string()),
        title: v.exactOptional(v.string()),
        mimetype: v.exactOptional(v.string()),
        size: v.exactOptional(wholeNumber),
        url_private: v.string(),
      }),
    ),
  ),
  attachments: v.exactOptional(v.array(SlackAttachmentPayload)),
})

export const SlackUserPayload = v.strictObject({
  id: Username,
  name: Username,
  real_name: v.string(),
  deleted: v.boolean(),
  is_bot: v.boolean(),
  is_owner: v.boolean(),
  is_admin: v.boolean(),
  is_restricted: v.boolean(),
  tz: v.exactOptional(v.string()),
  profile: v.strictObject({
    real_name: v.string(),
    display_name: v.string(),
    title: v.string(),
    /** In the response of users.lookupByEmail alone. */
    email: v.exactOptional(v.string()),
  }),
})

export const SlackChannelPayload = v.strictObject({
  id: ChannelId,
  is_channel: v.boolean(),
  is_group: v.boolean(),
  is_im: v.boolean(),
  is_mpim: v.boolean(),
  is_private: v.boolean(),
  is_archived: v.boolean(),
  is_member: v.boolean(),
  name: v.exactOptional(v.string()),
  name_normalized: v.exactOptional(v.string()),
  topic: v.exactOptional(v.strictObject({ value: v.string() })),
  purpose: v.exactOptional(v.strictObject({ value: v.string() })),
  num_members: v.exactOptional(wholeNumber),
  creator: v.exactOptional(Username),
  /** Whole seconds; 0 where the time is unknown. */
  created: v.exactOptional(wholeNumber),
  /** The other person of a DM. */
  user: v.exactOptional(Username),
})

/** `next_cursor` is empty on the last page. */
export const SlackCursorPayload = v.strictObject({ next_cursor: v.string() })
