import { issuePriorityLinks, MAX_ISSUED_LINKS, type PriorityLink } from '@bancone/contract/priority'
import { Check, MessageCircle } from 'lucide-react'
import { QRCodeSVG } from 'qrcode.react'
import { useEffect, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { problemText } from '../../../lib/use-action.ts'
import type { ModalProps } from '../../../lib/use-opened.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { CopyButton, CopyIconButton } from '../../../ui/copy-button.tsx'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { customerName, orderText } from '../priority-texts.ts'

type LinksDialogProps = ModalProps & { recordIds: readonly string[] }

type Issued = { links: PriorityLink[]; refused: string[] }

/** Issues the links. Not through the cache, which must not hold secrets. */
function useIssued(recordIds: readonly string[]) {
  const [issued, setIssued] = useState<Issued | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [request, setRequest] = useState({ recordIds: [...recordIds] })
  useEffect(() => {
    if (request.recordIds.length === 0) return
    let isCancelled = false
    call(issuePriorityLinks, { body: request }).then(
      (answer) => {
        if (!isCancelled) setIssued(answer)
      },
      (error: unknown) => {
        if (!isCancelled) setFailure(problemText(error))
      },
    )
    return () => {
      isCancelled = true
    }
  }, [request])
  return {
    issued,
    failure,
    retry() {
      setFailure(null)
      setRequest({ ...request })
    },
  }
}

function refusedText(refused: number, asked: number): string {
  if (asked === 1) return "Per questo ordine non c'è un link: è annullato, o non esiste più."
  return refused === 1
    ? 'Per un ordine non c’è un link: è annullato, o non esiste più.'
    : `Per ${refused} ordini non c’è un link: sono annullati, o non esistono più.`
}

/** The links with which the customers of orders say that they have arrived. */
export function LinksDialog({ recordIds, onClose, onReturnFocus }: LinksDialogProps) {
  const count = recordIds.length
  const tooMany = count > MAX_ISSUED_LINKS
  const { issued, failure, retry } = useIssued(tooMany ? [] : recordIds)
  const [only] = issued?.links ?? []
  return (
    <Sheet
      title={count === 1 ? 'Invia link Priority' : 'Invia i link Priority'}
      closeLabel="Chiudi i link"
      footer={
        <Button className="flex-1" onClick={onClose}>
          Chiudi
        </Button>
      }
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <div className="flex flex-col gap-4">
        <p className="text-sm text-pretty text-muted">
          Chi riceve il link avvisa con un tocco quando è in farmacia. Il link è personale: mandalo
          solo al cliente dell'ordine.
        </p>
        {tooMany ? (
          <Alert tone="notice">
            Puoi inviare al massimo {MAX_ISSUED_LINKS} link alla volta: ne hai scelti {count}.
          </Alert>
        ) : null}
        {failure === null ? null : <RetryAlert onRetry={retry}>{failure}</RetryAlert>}
        {issued && issued.refused.length > 0 ? (
          <Alert tone="notice">{refusedText(issued.refused.length, count)}</Alert>
        ) : null}
        {!issued && failure === null && !tooMany ? (
          <Loading text="Creazione dei link in corso…" className="flex flex-col gap-3">
            <Skeleton shape="control" className="mx-auto size-48" />
            <Skeleton shape="control" className="h-11" />
          </Loading>
        ) : null}
        {issued && only && count === 1 ? <SingleLink link={only} /> : null}
        {issued && count > 1 ? <LinkList links={issued.links} /> : null}
      </div>
    </Sheet>
  )
}

/** The links of several orders, to be sent one after the other. */
function LinkList({ links }: { links: readonly PriorityLink[] }) {
  return (
    <ul aria-label="Link da inviare" className="divide-y divide-line border-y border-line">
      {links.map((link) => {
        const order = orderText(link)
        return (
          <li key={link.prioritySessionId} className="flex flex-wrap items-center gap-2 py-2.5">
            <div className="min-w-0 flex-1 basis-40">
              <p className="font-medium wrap-anywhere">{customerName(link)}</p>
              <p className="text-sm text-muted tabular-nums wrap-anywhere">Ordine {order}</p>
            </div>
            <WhatsAppAnchor link={link} order={order} look="secondary" />
            <CopyIconButton label={`Copia il link Priority dell'ordine ${order}`} text={link.url} />
          </li>
        )
      })}
    </ul>
  )
}

/** The link of one order: as a code, as a text, and in a message. */
function SingleLink({ link }: { link: PriorityLink }) {
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

type WhatsAppAnchorProps = {
  link: PriorityLink
  /** Of the order, where there are several. */
  order?: string
  look: 'primary' | 'secondary'
}

/** Opens a WhatsApp chat with the message, which the user sends there. */
function WhatsAppAnchor({ link, order, look }: WhatsAppAnchorProps) {
  const [opened, setOpened] = useState(false)
  const { whatsAppNumber, message } = link
  if (whatsAppNumber === null) {
    return <p className="text-sm text-muted">Senza numero per WhatsApp</p>
  }
  const Icon = opened ? Check : MessageCircle
  return (
    <a
      href={`https://wa.me/${whatsAppNumber}?text=${encodeURIComponent(message)}`}
      target="_blank"
      rel="noopener noreferrer"
      className={buttonStyle({ look: opened ? 'secondary' : look })}
      onClick={() => setOpened(true)}
    >
      <Icon aria-hidden />
      {opened ? 'WhatsApp aperto' : 'WhatsApp'}
      {order === undefined ? null : <span className="sr-only">, ordine {order}</span>}
    </a>
  )
}
