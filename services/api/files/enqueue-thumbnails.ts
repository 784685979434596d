import type { Username } from '#shared/domain/units.ts'
import { isAnimated, needsThumbnail, THUMBNAIL_KINDS } from '#shared/domain/uploads.ts'
import { askForThumbnails } from '#shared/jobs/thumbnail-job.ts'
import { log } from '#shared/runtime/log.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Queues thumbnails in advance, without waiting: a reader that finds none queues them again (find-thumbnail.ts). */
export function enqueueThumbnails(stores: Stores, images: string[], sender: Username): void {
  const wanting = images.filter(name =>
    THUMBNAIL_KINDS.some(kind => (!kind.still || isAnimated(name)) && needsThumbnail(name, kind)),
  )
  if (wanting.length === 0) return
  askForThumbnails(stores, wanting, sender).catch(err => log.warn({ err }, 'thumbnails not asked for'))
}
