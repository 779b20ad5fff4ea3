/** What does not come from the service, as it is met in the wild, in own words. */
interface Page {
	readonly of: string;
	readonly status: number;
	readonly body: string;
	/** What of it is told. */
	readonly title: string;
}

/** tashfeenahmed/freellmapi#1298: a challenge, told as a wrong key. */
const CHALLENGE =
	'<!DOCTYPE html><html lang="en-US"><head><meta charset="UTF-8">\n<title data-x="1">\n  One moment,\n  please  </title><style>*{margin:0}</style></head><body><script>check(1<2)</script></body></html>';

/** A page as web servers write it. */
const pageOf = (of: string, status: number, title: string): Page => ({
	of,
	status,
	title,
	body: `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
});

/** Refusals of 4xx that are no answer of the service (S 7). */
export const PAGES: readonly Page[] = [
	{ of: 'a firewall', status: 403, body: CHALLENGE, title: 'One moment, please' },
	{
		of: 'a load balancer without a title',
		status: 403,
		body: '<html><body><h1>403 Forbidden</h1>\nRequest forbidden by rules.\n</body></html>',
		title: '403 Forbidden Request forbidden by rules.',
	},
	{
		of: 'a store of files',
		status: 403,
		body: '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code><Message>No</Message></Error>',
		title: 'AccessDenied No',
	},
	pageOf('a server that wants https', 400, '400 The plain HTTP request was sent to HTTPS port'),
	pageOf('a server that wants a password', 401, '401 Authorization Required'),
	pageOf('a captive portal', 402, 'Sign in to Wi-Fi'),
	pageOf('another address', 404, '404 Not Found'),
	pageOf('a server of files', 405, '405 Not Allowed'),
	{ of: 'a framework', status: 409, body: 'API key not valid\n', title: 'API key not valid' },
	// mastodon/documentation#641: no JSON where a client expected it.
	pageOf('a server with a small limit', 413, '413 Request Entity Too Large'),
	{ of: 'a filter', status: 451, body: 'Blocked by policy', title: 'Blocked by policy' },
];
