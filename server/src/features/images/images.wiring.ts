import type { Database } from '../../database/database.ts'
import type { Jobs } from '../../platform/jobs.ts'
import type { RateLimits } from '../../platform/rate-limits.ts'
import type { Scratch } from '../../platform/scratch.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ImageHost } from '../../ports/image-host.ts'
import type { Outbound } from '../../ports/outbound.ts'
import type { PictureMaker } from '../../ports/picture-maker.ts'
import { createImages, type ImageLimitName } from './images.service.ts'
import { createImagesStore } from './images.store.ts'
import { dailyUnusedImages, unusedImageTasks } from './images-job.ts'
import { createShownImages } from './shown-images.ts'

type Dependencies = {
  db: Database
  /** Pictures as files of ours. */
  drawn: ImageHost
  /** Where new ones go instead; undefined for nowhere else. */
  service: ImageHost | undefined
  pictures: PictureMaker
  scratch: Scratch
  outbound: Outbound
  limits: RateLimits<ImageLimitName>
  clock: Clock
  log: {
    info(details: object, message: string): void
    warn(details: object, message: string): void
  }
}

/** Puts together the pictures that customers see. */
export function wireImages({ db, drawn, service, log, ...rest }: Dependencies) {
  const store = createImagesStore(db)
  const shown = createShownImages({ store, host: drawn })
  const images = createImages({
    ...rest,
    store,
    host: service ?? drawn,
    // Those of before it was configured are still there.
    hosts: service ? [drawn, service] : [drawn],
    onRemoved: shown.forget,
  })
  return {
    services: { images, shownImages: shown },
    tasks: unusedImageTasks({ images, store, log }) satisfies Jobs['tasks'],
    daily: [dailyUnusedImages],
  }
}
