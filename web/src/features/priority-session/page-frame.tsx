import { variantUrl } from '@bancone/contract/image-variants'
import { privacyPath } from '@bancone/contract/pages'
import type { PriorityPharmacy } from '@bancone/contract/priority-customer'
import { Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { webLink } from '../../lib/links.ts'
import { initials } from '../../ui/avatar.tsx'
import { BrandColors } from '../../ui/brand-colors.tsx'
import { secondary } from './styles.ts'

type PageFrameProps = { pharmacy: PriorityPharmacy | null; children: ReactNode }

/** Around every page of a customer: whose it is, and how to reach them. */
export function PageFrame({ pharmacy, children }: PageFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      {pharmacy?.palette ? <BrandColors palette={pharmacy.palette} /> : null}
      {pharmacy ? <Header pharmacy={pharmacy} /> : null}
      <main className="mx-auto flex w-full max-w-xl flex-1 flex-col gap-4 px-3 py-4 sm:py-8">
        {children}
      </main>
      <footer className="mx-auto flex w-full max-w-xl flex-wrap items-center justify-between gap-x-6 px-3 pb-3 text-sm text-muted">
        <p>Powered by Bancone</p>
        <a
          href={privacyPath(pharmacy?.code ?? null)}
          className="inline-flex min-h-12 items-center underline underline-offset-4 hover:text-ink"
        >
          Privacy
        </a>
      </footer>
    </div>
  )
}

function Header({ pharmacy }: { pharmacy: PriorityPharmacy }) {
  const { name, address, phone } = pharmacy
  return (
    <header className="border-b border-line bg-surface">
      <div className="mx-auto flex max-w-xl flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2.5">
        <Logo pharmacy={pharmacy} />
        <div className="min-w-[8rem] flex-1 leading-tight">
          <p className="font-medium break-words">{name}</p>
          {address === null ? null : <p className="text-sm break-words text-muted">{address}</p>}
          {phone === null ? null : <p className="text-sm text-muted">Tel. {phone}</p>}
        </div>
        <CallLink pharmacy={pharmacy} isSmall />
      </div>
    </header>
  )
}

type CallLinkProps = { pharmacy: PriorityPharmacy; isSmall?: boolean }

/** Calls the pharmacy; nothing where it has no number. */
export function CallLink({ pharmacy, isSmall = false }: CallLinkProps) {
  if (pharmacy.callNumber === null) return null
  return (
    <a href={`tel:${pharmacy.callNumber}`} className={secondary}>
      <Phone aria-hidden />
      <span className={isSmall ? 'max-sm:sr-only' : ''}>Chiama</span>
      <span className="sr-only"> {pharmacy.name}</span>
    </a>
  )
}

function Logo({ pharmacy: { name, logoUrl } }: { pharmacy: PriorityPharmacy }) {
  const logo = webLink(logoUrl)
  const place = 'size-12 shrink-0 rounded-control'
  if (logo === null) {
    return (
      <span
        aria-hidden
        className={`${place} grid place-items-center bg-accent-soft text-[17px] font-medium text-accent`}
      >
        {initials(name)}
      </span>
    )
  }
  return (
    <img
      src={variantUrl(logo, 'thumbnail-2x')}
      alt=""
      width={48}
      height={48}
      decoding="async"
      className={`${place} bg-paper object-contain`}
    />
  )
}
