import type { PictureRejection } from '../../src/ports/picture-renderer.ts'

/** The expected outcome of a file: the reason of its rejection, or the size of the rendered picture. */
export type HostileFile = {
  name: string
  bytes: Buffer
  outcome: PictureRejection | { width: number; height: number }
}

/** The text hidden in the files. It must not be in any rendered picture. */
export const PAYLOAD = 'hidden-payload-7f3a91'

export const SCRIPT = `<script>/*${PAYLOAD}*/alert(1)</script>`

/** The default size of `drawn()`. */
export const USUAL = { width: 60, height: 40 }

/** Encodes each character as one byte. */
export const text = (content: string) => Buffer.from(content, 'latin1')
