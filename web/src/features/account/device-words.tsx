import type { Device } from '@bancone/contract/account'
import { CircleQuestionMark, type LucideIcon, Monitor, Smartphone, Tablet } from 'lucide-react'

const icons: Record<Device['kind'], LucideIcon> = {
  desktop: Monitor,
  phone: Smartphone,
  tablet: Tablet,
  other: CircleQuestionMark,
}

/** 'Chrome · Windows'. */
export function deviceName({ browser, system }: Device): string {
  const known = [browser, system].filter((part) => part !== null)
  return known.length > 0 ? known.join(' · ') : 'Dispositivo sconosciuto'
}

export function DeviceIcon({ device, className }: { device: Device; className: string }) {
  const Icon = icons[device.kind]
  return <Icon aria-hidden className={className} />
}
