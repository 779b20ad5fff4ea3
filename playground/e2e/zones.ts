/** The hour that it is now in a time zone. */
export const hourIn = (zone: string): number =>
	Number(
		new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(),
	);

/** A zone in which it is this hour now. */
export const zoneAt = (hour: number): string =>
	Array.from({ length: 12 }, (_, index) => [`Etc/GMT+${index}`, `Etc/GMT-${index + 1}`])
		.flat()
		.find((zone) => hourIn(zone) === hour) ?? 'UTC';
