import axios, { type AxiosRequestConfig } from 'axios';

export interface Answer {
	status: number;
	data: unknown;
}

/** Posts to a webhook; any answer is one. */
export async function post(
	url: string,
	body: unknown,
	request: Pick<AxiosRequestConfig, 'headers' | 'params'> = {},
): Promise<Answer> {
	const { status, data } = await axios.post<unknown>(url, body, {
		...request,
		proxy: false,
		validateStatus: () => true,
	});
	return { status, data };
}
