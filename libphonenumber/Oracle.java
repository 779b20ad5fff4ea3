import com.google.i18n.phonenumbers.*;
import java.io.*;

/** Reads a number a line, digits with their country code, and writes the zones that libphonenumber gives for it. */
public class Oracle {
  public static void main(String[] arguments) throws IOException {
    PhoneNumberUtil util = PhoneNumberUtil.getInstance();
    PhoneNumberToTimeZonesMapper mapper = PhoneNumberToTimeZonesMapper.getInstance();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    PrintWriter out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out)));
    for (String number = in.readLine(); number != null; number = in.readLine()) {
      String zones = "Etc/Unknown";
      try {
        zones = String.join("&", mapper.getTimeZonesForNumber(util.parse("+" + number, null)));
      } catch (NumberParseException problem) {
        // Nothing is known of it.
      }
      out.println(number + " " + (zones.equals("Etc/Unknown") ? "" : zones));
    }
    out.flush();
  }
}
