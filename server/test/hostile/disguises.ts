import { gzipSync } from 'node:zlib'
import { anImage, drawn, pngChunk } from '../pictures.ts'
import { type HostileFile, PAYLOAD, SCRIPT, text, USUAL } from './hostile-file.ts'
import { insertedAfter, jpegSegment, jpegWith } from './picture-parts.ts'

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${SCRIPT}</svg>`

/** Files with the name of a picture and other content. */
export async function disguises(): Promise<HostileFile[]> {
  const picture = await anImage()
  const contents: [string, string | Buffer][] = [
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['drawing-that-runs.png', svg],
    ['drawing-after-a-mark.jpg', Buffer.from(`\uFEFF<?xml version="1.0"?>${svg}`)],
    ['drawing-packed.svgz', gzipSync(svg)],
    [
      'drawing-that-reads-files.jpg',
      '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>',
    ],
    ['page.jpg', `<!doctype html>${SCRIPT}`],
    ['text.jpg', 'La mia foto'],
    ['program.php.jpg', `<?php /*${PAYLOAD}*/ system($_GET['c']); ?>`],
    ['program.exe.png', 'MZ\x90\0\x03\0\0\0'],
    ['document.pdf', '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj<</JS(app.alert(1))>>endobj'],
    ['document-and-picture.jpg', Buffer.concat([text('%PDF-1.7\n'), picture])],
    ['drawing.eps', '%!PS-Adobe-3.0 EPSF-3.0\n(/etc/passwd) (r) file'],
    ['drawing.mvg', "push graphic-context\nimage over 0,0 9,9 'https://127.0.0.1/'"],
    ['archive.webp', 'PK\x03\x04\x14\0\0\0'],
    ['old.bmp', 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0'],
    ['layers.psd', '8BPS\0\x01\0\0\0\0\0\0\0\x03\0\0\0\x01\0\0\0\x01\0\x08\0\x03'],
    ['favicon.ico', '\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0'],
    ['new.jxl', '\xff\x0a\xfa\x1f\x41\x91\x08\x06'],
    ['new.jp2', '\0\0\0\x0cjP  \r\n\x87\n'],
    ['film.avif', '\0\0\0\x18ftypmp42\0\0\0\0mp42isom'],
    ['scan.tiff', await drawn().tiff().toBuffer()],
    ['link.jpg', '../../../../etc/passwd'],
    ['nothing.jpg', ''],
    ['one-byte.jpg', '\xff'],
    ['its-beginning.jpg', '\xff\xd8'],
  ]
  return contents.map(([name, content]) => ({
    name,
    bytes: typeof content === 'string' ? text(content) : content,
    outcome: 'not_a_picture',
  }))
}

/** Polyglots: pictures that are valid files of another type as well. */
export async function polyglots(): Promise<HostileFile[]> {
  const html = text(`<!doctype html>${SCRIPT}`)
  const [jpeg, png, gif, webp, avif] = await Promise.all([
    anImage(),
    drawn().png().toBuffer(),
    drawn().gif().toBuffer(),
    drawn().webp().toBuffer(),
    drawn().avif().toBuffer(),
  ])
  const archive = text(`PK\x03\x04${PAYLOAD}PK\x05\x06${'\0'.repeat(18)}`)
  const program = text(`<?php /*${PAYLOAD}*/ system($_GET['c']); __halt_compiler(); ?>`)
  const comment = Buffer.concat([text(`\x21\xfe${String.fromCharCode(40)}*/=1;/*${PAYLOAD}`)])
  const gifComment = Buffer.concat([comment, Buffer.alloc(43 - comment.byteLength), text('\0')])
  const palette = 13 + 3 * 2 ** ((gif.readUInt8(10) & 7) + 1)
  return [
    ['jpeg-and-archive.jpg', Buffer.concat([jpeg, archive])],
    ['jpeg-and-page.jpg', Buffer.concat([jpeg, html])],
    ['jpeg-and-program.jpg', jpegWith(jpeg, jpegSegment(0xfe, program))],
    ['jpeg-and-script.jpg', jpegWith(jpeg, jpegSegment(0xfe, text(`*/=1;alert("${PAYLOAD}");/*`)))],
    ['png-and-page.png', Buffer.concat([png, html])],
    ['png-with-text.png', insertedAfter(png, 33, pngChunk('tEXt', text(`Comment\0${SCRIPT}`)))],
    ['gif-and-script.gif', insertedAfter(gif, palette, gifComment)],
    ['webp-and-page.webp', Buffer.concat([webp, html])],
    ['avif-and-page.avif', Buffer.concat([avif, html])],
  ].map(([name, bytes]) => ({
    name: String(name),
    bytes: Buffer.from(bytes ?? ''),
    outcome: USUAL,
  }))
}
