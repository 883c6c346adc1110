import type { OrderAttachment } from '@bancone/contract/orders'
import { Download, ExternalLink } from 'lucide-react'
import { buttonStyle } from '../../../ui/button.tsx'
import type { OrderView } from '../order-view.ts'

/** The media types of pictures that a browser shows; others are downloaded. */
const PICTURE = /^image\/(avif|gif|jpeg|png|webp)$/

const number = new Intl.NumberFormat('it-IT', { maximumFractionDigits: 1 })

function sizeText(bytes: number | null): string | null {
  if (bytes === null) return null
  const isSmall = bytes < 1_000_000
  const value = isSmall ? Math.ceil(bytes / 1_000) : bytes / 1_000_000
  return `${number.format(value)}\u00a0${isSmall ? 'kB' : 'MB'}`
}

type AttachmentLinkProps = { href: string; file: OrderAttachment | undefined; place?: string }

function AttachmentLink({ href, file, place }: AttachmentLinkProps) {
  const isPicture = PICTURE.test(file?.type ?? 'image/jpeg')
  const said = [file?.name, sizeText(file?.bytes ?? null)].filter(Boolean)
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer" className={buttonStyle()}>
        {isPicture ? <ExternalLink aria-hidden /> : <Download aria-hidden />}
        {isPicture ? 'Visualizza Immagine' : 'Scarica allegato'}
        {place ? <span className="sr-only"> {place}</span> : null}
      </a>
      {said.length > 0 ? (
        <span className="text-sm wrap-anywhere text-muted">{said.join(' · ')}</span>
      ) : null}
    </>
  )
}

/** The picture of an order; or all attachments with their names and sizes, where there are several or one is no picture. */
export function Attachments({ image, attachments }: Pick<OrderView, 'image' | 'attachments'>) {
  if (image === null) return null
  const line = 'flex flex-wrap items-center gap-x-3 gap-y-1'
  if (attachments.length < 2) {
    return (
      <span className={`mt-2 print:hidden ${line}`}>
        <AttachmentLink href={image} file={attachments[0]} />
      </span>
    )
  }
  return (
    <ul aria-label={`${attachments.length} allegati`} className="mt-2 grid gap-3 print:hidden">
      {attachments.map((file, index) => (
        <li key={file.url} className={line}>
          <AttachmentLink
            href={file.url}
            file={file}
            place={`${index + 1} di ${attachments.length}`}
          />
        </li>
      ))}
    </ul>
  )
}
