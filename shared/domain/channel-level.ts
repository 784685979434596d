/** Messages of a channel that notify; `default`: as the person chose for all channels. */
export const CHANNEL_LEVELS = ['default', 'all', 'mentions', 'nothing'] as const
export type ChannelLevel = (typeof CHANNEL_LEVELS)[number]
