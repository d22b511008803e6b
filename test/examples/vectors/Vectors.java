import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Base64;

public class Vectors {
  public static void main(String[] arguments) throws Exception {
    for (String line : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
      String[] fields = line.split("\t", -1);
      boolean told = fields[0].equals("digest")
          ? FirstPayment.isDigest(fields[2], Base64.getDecoder().decode(fields[3]))
          : FirstPayment.isSigned(name -> FirstPayment.member(fields[2], name), fields[3], fields[4], fields[5]);
      System.out.println(fields[1] + " " + told);
    }
  }
}
