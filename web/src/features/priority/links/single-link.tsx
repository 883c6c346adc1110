import type { PriorityLink } from '@bancone/contract/priority'
import { QRCodeSVG } from 'qrcode.react'
import { formatDateTime } from '../../../lib/format.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { customerName, orderText } from '../visit-texts.ts'
import { WhatsAppAnchor } from './whatsapp-anchor.tsx'

/** The link of one order: as a code, as a text, and in a message. */
export function SingleLink({ link }: { link: PriorityLink }) {
  return (
    <>
      <QRCodeSVG
        value={link.url}
        size={240}
        level="M"
        marginSize={4}
        title="QR code del link Priority"
        className="mx-auto h-auto w-full max-w-60 rounded-control"
      />
      <p className="text-center font-medium wrap-anywhere">
        {customerName(link)} · Ordine {orderText(link)}
      </p>
      <p className="-mt-3 text-center text-sm text-muted">
        Il cliente può inquadrarlo qui al banco.
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <WhatsAppAnchor link={link} look="primary" />
        <CopyButton label="Copia link Priority" text={link.url} />
      </div>
      <p className="rounded-control border border-line bg-sunken p-3 text-sm wrap-anywhere whitespace-pre-wrap">
        {link.message}
      </p>
      <p className="text-sm text-muted">
        Vale fino al {formatDateTime(link.expiresAt)}, o finché l'ordine è aperto.
      </p>
    </>
  )
}
