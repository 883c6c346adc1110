import type { PriorityLink } from '@bancone/contract/priority'
import { CopyIconButton } from '../../../ui/copy-button.tsx'
import { customerName, orderText } from '../visit-texts.ts'
import { WhatsAppAnchor } from './whatsapp-anchor.tsx'

/** The links of several orders, to be sent one after the other. */
export function LinkList({ links }: { links: readonly PriorityLink[] }) {
  return (
    <ul aria-label="Link da inviare" className="divide-y divide-line border-y border-line">
      {links.map((link) => {
        const order = orderText(link)
        return (
          <li key={link.visitId} className="flex flex-wrap items-center gap-2 py-2.5">
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
