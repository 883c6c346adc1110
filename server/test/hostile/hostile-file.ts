import type { PictureReason } from '../../src/ports/picture-maker.ts'

/** What must come of a file: it is refused for that reason, or a picture that large comes out, and only that. */
export type HostileFile = {
  name: string
  bytes: Buffer
  outcome: PictureReason | { width: number; height: number }
}

/** Is in what is hidden in files, and must be in nothing that comes out. */
export const PAYLOAD = 'hidden-payload-7f3a91'

export const SCRIPT = `<script>/*${PAYLOAD}*/alert(1)</script>`

/** What `drawn()` is without being asked for another size. */
export const USUAL = { width: 60, height: 40 }

/** Each character is one byte. */
export const text = (content: string) => Buffer.from(content, 'latin1')
